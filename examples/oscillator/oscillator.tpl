Wien-bridge oscillator with diode-limited gain: r=@r@ c=@c@ rf=@rf@
* A template for 'ordbo suggest --delimiters': names between at signs are replaced, braces are SPICE's own.
.param r=@r@ c=@c@ rf=@rf@ supply=@supply@

* Wien network: decides the frequency. The charge on C2 is the kick that starts it.
R1 out a {r}
C1 a p {c}
R2 p 0 {r}
C2 p 0 {c} ic=20m

* what the board adds without being asked
CP p 0 5p
RP p 0 100meg
CN n 0 5p

* gain 1 + RF/RG: below 3 nothing starts. RL comes in as soon as the diodes conduct, and holds the amplitude.
RG n 0 10k
RF out n {rf}
RL n l 22k
D1 l out dio
D2 out l dio
.model dio D(IS=4n N=1.8 RS=1 CJO=4p)

* operational amplifier: 3 MHz, 13 V/us, open-loop gain 1e5, 75 ohm and 25 mA at the output, rails 2 V inside the supply
B1 0 y i=130u*tanh((v(p)-v(n))*188u/130u)
RY y 0 530meg
CY y 0 10p
B2 0 out i=25m*tanh(((supply-2)*tanh(v(y)/(supply-2))-v(out))/(75*25m))

* 60 periods of what the Wien network asks for, so that slow and fast circuits take the same time to compute
.param period={6.2831853*r*c+1u}
.tran {period/100} {60*period} 0 {period/100} uic

.control
run
let stop = time[length(time)-1]
let late = 0.7*stop
let later = 0.85*stop
meas tran before pp v(out) from=$&late to=$&later
meas tran after pp v(out) from=$&later
meas tran five trig v(out) val=0 td=$&late rise=1 targ v(out) val=0 td=$&late rise=6
let frequency = 5/five
fourier $&frequency v(out)

* For startup.yaml: when the amplitude comes to nine tenths of its last one, and the mean power that the output takes
* from the rails.
let reached = 0.45*after
meas tran start when v(out)=$&reached rise=1
let drawn = @supply@*abs(25m*tanh(((@supply@-2)*tanh(v(y)/(@supply@-2))-v(out))/(75*25m)))
meas tran power avg drawn from=$&later
quit
.endc
.end
