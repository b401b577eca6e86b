"use strict";
// Keeps the page as the server's files are: it is told that something changed, and fetches the parts that did.
const ordboLive = (() => {
  const find = (id) => document.getElementById(id);
  const known = { epoch: "", version: 0, clock: 0 };
  const kept = "ordbo-token";
  let token = remembered();
  let wanted = 0;
  let fetching = false;

  // The token stands behind #, which browsers send to no server, and leaves the address line at once.
  function remembered() {
    const found = /^#token=([\w-]+)$/.exec(location.hash);
    if (found) history.replaceState(null, "", location.pathname);
    try {
      if (found) localStorage.setItem(kept, found[1]);
      return localStorage.getItem(kept) ?? "";
    } catch {
      return found ? found[1] : "";
    }
  }

  function ask(path, options = {}) {
    const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    return fetch(new URL(path, location.href), { cache: "no-store", credentials: "omit", ...options, headers });
  }

  // A part's fields, scrolled regions and focus are the reader's: they outlive the part.
  function focusIn(part) {
    const at = document.activeElement;
    if (!part?.contains(at)) return () => {};
    const point = at.matches(".pick") ? at.closest("tr").dataset.point : null;
    const kinds = ["thead button", ".scroll", "a[href]", "button", "input", "select"];
    const kind = point === null ? kinds.find((each) => at.matches(each)) : `tr[data-point="${CSS.escape(point)}"] .pick`;
    if (!kind) return () => {};
    const place = Array.from(part.querySelectorAll(kind)).indexOf(at);
    const range = at.matches("input") ? [at.selectionStart, at.selectionEnd] : null;
    return (fresh) => {
      const again = fresh.querySelectorAll(kind)[place];
      again?.focus({ preventScroll: true });
      if (range && again) again.setSelectionRange(...range);
    };
  }

  function swap(old, fresh) {
    const regions = Array.from(old.querySelectorAll(".scroll"), (each) => [each.scrollLeft, each.scrollTop]);
    const focus = focusIn(old);
    for (const field of old.querySelectorAll("input[id], select[id]")) {
      const again = fresh.querySelector(`#${CSS.escape(field.id)}`);
      const offered = again?.matches("select") ? Array.from(again.options, (each) => each.value) : null;
      if (again && (!offered || offered.includes(field.value))) again.value = field.value;
    }
    ordboPage.release(old);
    old.replaceWith(fresh);
    ordboPage.refresh(fresh);
    fresh.querySelectorAll(".scroll").forEach((each, k) => {
      if (regions[k]) [each.scrollLeft, each.scrollTop] = regions[k];
    });
    focus(fresh);
  }

  function fill(element, html) {
    const focus = focusIn(element);
    element.innerHTML = html;
    focus(element);
  }

  function place(answer) {
    const main = find("main");
    const fresh = new Map();
    for (const [id, html] of Object.entries(answer.parts)) {
      if (id === "head" || id === "contents") {
        fill(find(id), html);
        continue;
      }
      const template = document.createElement("template");
      template.innerHTML = html;
      fresh.set(id, template.content.firstElementChild);
    }
    for (const section of main.querySelectorAll(":scope > section")) {
      if (answer.order.includes(section.id)) continue;
      ordboPage.release(section);
      section.remove();
    }
    let cursor = main.querySelector(":scope > section") ?? find("picked");
    for (const id of answer.order) {
      const old = find(id);
      const section = fresh.get(id) ?? old;
      if (!section) continue;
      if (old && old !== section) {
        if (cursor === old) cursor = section;
        swap(old, section);
      }
      if (section === cursor) {
        cursor = section.nextElementSibling;
        continue;
      }
      main.insertBefore(section, cursor);
      if (!old) ordboPage.refresh(section);
    }
    const title = find("head").querySelector("h1").textContent;
    if (document.title !== title) document.title = title;
    Object.assign(known, { epoch: answer.epoch, version: answer.version, clock: Date.now() / 1000 - answer.now });
    tick();
    arrive();
    if (answer.news) tell(answer.news);
  }

  // Who came by a link to a part is taken there once it is there.
  let sought = location.hash.slice(1);
  function arrive() {
    const part = sought && find(sought);
    if (!part) return;
    sought = "";
    part.scrollIntoView();
    part.querySelector("form.bench input, form.bench select")?.focus({ preventScroll: true });
  }

  // Those who listen are told of what is new, but not more often than they can hear it.
  let unsaid = "";
  let saying = 0;
  function tell(text) {
    find("news").textContent = text;
    unsaid = text;
    if (!saying) saying = setTimeout(say, 1000);
  }
  function say() {
    find("said").textContent = unsaid;
    saying = unsaid ? setTimeout(say, 5000) : 0;
    unsaid = "";
  }

  const units = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  function age(seconds) {
    const [unit, size] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
    return `${Math.max(0, Math.floor(seconds / size))} ${unit}`;
  }
  function tick() {
    const now = Date.now() / 1000 - known.clock;
    for (const each of document.querySelectorAll("time[data-since]")) {
      const text = age(now - Number(each.dataset.since));
      if (each.textContent !== text) each.textContent = text;
    }
  }

  async function update() {
    if (fetching) return;
    fetching = true;
    try {
      while (known.version < wanted) {
        const answer = await ask(`parts?since=${known.version}&epoch=${known.epoch}`);
        if (!answer.ok) return;
        place(await answer.json());
      }
    } finally {
      fetching = false;
    }
  }

  async function listen(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += value;
      const messages = text.split("\n\n");
      text = messages.pop();
      for (const message of messages) {
        if (!message.startsWith("data:")) continue;
        const { epoch, version } = JSON.parse(message.slice(5));
        if (epoch !== known.epoch) Object.assign(known, { epoch, version: 0 });
        wanted = version;
        await update();
      }
    }
  }

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const visible = () =>
    document.hidden ? new Promise((done) => document.addEventListener("visibilitychange", done, { once: true })) : null;

  function entered() {
    const form = find("enter");
    form.hidden = false;
    find("refusal").textContent = token ? "The server refuses this token." : "The server demands a token.";
    find("token").focus();
    return new Promise((done) => {
      form.addEventListener(
        "submit",
        (event) => {
          event.preventDefault();
          token = find("token").value.trim();
          try {
            localStorage.setItem(kept, token);
          } catch {
            // it lasts as long as the page
          }
          form.hidden = true;
          done();
        },
        { once: true },
      );
    });
  }

  function linked(is) {
    document.body.classList.toggle("lost", !is);
    find("link").textContent = is ? "" : "The server does not answer. What stands here is what it said last.";
  }

  async function follow() {
    for (let wait = 500; ; wait = Math.min(2 * wait, 8000)) {
      await visible();
      // a page that nobody sees holds no connection: browsers have few of them
      const leave = new AbortController();
      const away = () => document.hidden && leave.abort();
      document.addEventListener("visibilitychange", away);
      try {
        const answer = await ask("events", { signal: leave.signal });
        if (answer.status === 401) {
          await entered();
          wait = 250;
          continue;
        }
        if (answer.ok) {
          linked(true);
          wait = 250;
          await listen(answer.body);
        }
      } catch {
        // told below
      } finally {
        document.removeEventListener("visibilitychange", away);
      }
      if (!document.hidden) {
        linked(false);
        await pause(wait);
      }
    }
  }

  setInterval(tick, 1000);
  follow();
  return { ask, entered };
})();
