"use strict";
// Sends what is entered: each request has a key of its own, so that one that is sent again is recorded once.
(() => {
  const find = (id) => document.getElementById(id);

  function newKey() {
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (each) => each.toString(16).padStart(2, "0")).join("");
  }

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  async function send(what) {
    const body = JSON.stringify({ key: newKey(), ...what });
    for (let again = 0; ; again += 1) {
      try {
        const answer = await ordboLive.ask("do", { method: "POST", headers: { "Content-Type": "application/json" }, body });
        if (answer.status === 401) await ordboLive.entered();
        else if (answer.status !== 503) return await answer.json();
      } catch (error) {
        if (again > 8) throw error;
      }
      await pause(Math.min(500 * 2 ** again, 5000));
    }
  }

  function say(text, wrong) {
    const line = find("done");
    line.textContent = text;
    line.classList.toggle("wrong", wrong);
  }

  // One thing at a time: a button that is pressed twice is pressed once.
  async function act(form, what, then = () => {}) {
    if (form.dataset.busy) return;
    form.dataset.busy = "true";
    try {
      const { told, error } = await send(what);
      if (error) say(error.hint ? `${error.message}. ${error.hint}` : error.message, true);
      else {
        say(told.words, false);
        then(told);
      }
    } catch {
      say("The server does not answer. Nothing is known of whether it was recorded: look at the page of the study.", true);
    } finally {
      delete form.dataset.busy;
    }
  }

  function results(form) {
    const given = {};
    for (const each of form.querySelectorAll("[data-result]")) {
      if (each.value.trim()) given[each.dataset.result] = each.value.trim();
    }
    return given;
  }

  const number = (form, name) => Number(form.querySelector(`[data-number="${name}"]`)?.value ?? "");
  const cleared = (form) => () => form.reset();

  function tell(form, as) {
    const what = { do: "tell", id: Number(form.dataset.id ?? number(form, "id")), amend: "amend" in form.dataset };
    what.note = form.querySelector("[data-note]").value;
    if (as) what[as] = true;
    else what.results = results(form);
    act(form, what, cleared(form));
  }

  function compare(form, better) {
    const [one, other] = [number(form, "one"), number(form, "other")];
    const judge = form.querySelector("[data-judge]").value.trim();
    const pair = better === "other" ? [other, one] : [one, other];
    act(form, { do: better ? "prefer" : "tie", pair, ...(judge ? { judge } : {}) }, () => {
      find("one").value = find("other").value = find("duel").textContent = "";
    });
  }

  const submitted = {
    suggest: (form) => act(form, { do: "suggest", number: number(form, "number") }, cleared(form)),
    tell: (form) => tell(form, ""),
    undo: (form) =>
      act(form, { do: "undo", line: JSON.parse(form.dataset.line) }, () => {
        find("last").textContent = "";
        find("back").hidden = true;
      }),
    phone: (form) =>
      act(form, { do: "phone" }, (told) => {
        find("code").innerHTML = told.svg;
      }),
    prefer: () => {},
  };

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.bench");
    if (!form) return;
    event.preventDefault();
    submitted[form.dataset.do](form);
  });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("form.bench button[type=button]");
    if (!button) return;
    const { form, dataset } = button;
    if ("as" in dataset) tell(form, dataset.as);
    else if ("better" in dataset) compare(form, dataset.better);
    else if ("look" in dataset) {
      act(form, { do: "look" }, (told) => {
        find("last").textContent = told.words;
        find("back").hidden = false;
        form.dataset.line = JSON.stringify(told.line);
        find("back").focus();
      });
    } else if ("duel" in dataset) {
      act(form, { do: "duel" }, (told) => {
        find("duel").textContent = told.words;
        [find("one").value, find("other").value] = told.ids;
      });
    }
  });
})();
