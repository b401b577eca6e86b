"use strict";
const ordboPage = (() => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  // A browser may refuse storage to a file; the choice then lasts until the page is loaded again.
  const remembered = (theme) => {
    try {
      if (theme) sessionStorage.setItem("ordbo-theme", theme);
      return sessionStorage.getItem("ordbo-theme");
    } catch {
      return null;
    }
  };

  // before the body is there, so that the page never flashes up in the other theme
  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  function offerThemes(button) {
    const show = () => button.setAttribute("aria-pressed", String(isDark()));
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      remembered(root.dataset.theme);
      show();
    });
    system.addEventListener("change", show);
    show();
    button.hidden = false;
  }

  // A region that does not scroll is no stop for the Tab key.
  const regions = new ResizeObserver((entries) => {
    for (const { target } of entries) stopWhereItScrolls(target.closest(".scroll"));
  });
  function stopWhereItScrolls(region) {
    if (!region) return;
    const scrolls = region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1;
    if (scrolls) region.tabIndex = 0;
    else region.removeAttribute("tabindex");
  }

  // The value that a cell is sorted by; null comes last whichever way.
  function keyOf(cell, numeric) {
    const text = (cell.dataset.key ?? cell.textContent).trim();
    if (text === "") return null;
    return numeric ? Number(text) : text;
  }

  // What the reader has chosen of the last table: it outlives the table, where a page is alive.
  const chosenOf = { column: null, sign: 1, limit: 1000 }; // rows that a browser lays out in an instant
  const collator = new Intl.Collator("en", { numeric: true });

  function manage(table, search, status, shown, more) {
    const body = table.tBodies[0];
    const headers = Array.from(table.tHead.rows[0].cells);
    const numeric = headers.map((header) => header.classList.contains("number"));
    const names = headers.map((header) => header.textContent.trim());
    const statusColumn = Number(table.dataset.status);

    // The document is read once: reading it again for each comparison or key press takes seconds for thousands of rows.
    const rows = Array.from(body.rows, (row, place) => {
      const cells = Array.from(row.cells);
      return {
        row,
        place,
        keys: cells.map((cell, column) => keyOf(cell, numeric[column])),
        status: status ? cells[statusColumn].textContent : "",
        text: cells.map((cell) => cell.textContent).join("\n").toLowerCase(),
      };
    });
    let order = "";

    function draw() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = status ? status.value : "*";
      const found = rows.filter(
        (entry) => (wanted === "*" || wanted === `=${entry.status}`) && words.every((word) => entry.text.includes(word)),
      );
      const drawn = document.createDocumentFragment();
      for (const { row } of found.slice(0, chosenOf.limit)) drawn.append(row);
      body.replaceChildren(drawn);
      const hits = found.length < rows.length ? `${found.length} of ${rows.length}` : rows.length;
      const cut = found.length > chosenOf.limit ? `, the first ${chosenOf.limit} shown` : "";
      shown.textContent = `${hits} ${shown.dataset.noun}${rows.length === 1 ? "" : "s"}${cut}${order}`;
      more.hidden = found.length <= chosenOf.limit;
    }

    function sort(column, sign) {
      const compare = numeric[column] ? (a, b) => a - b : collator.compare;
      rows.sort((one, other) => {
        const [a, b] = [one.keys[column], other.keys[column]];
        // a tie keeps the order of the file; Infinity minus itself is NaN, which is no order
        if (a === b) return one.place - other.place;
        if (a === null || b === null) return a === null ? 1 : -1;
        return sign * compare(a, b) || one.place - other.place;
      });
      for (const each of headers) each.removeAttribute("aria-sort");
      headers[column].setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      order = `, sorted by ${headers[column].textContent}, ${sign > 0 ? "ascending" : "descending"}`;
      Object.assign(chosenOf, { column: names[column], sign });
    }

    headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => {
        sort(column, header.getAttribute("aria-sort") === "ascending" ? -1 : 1);
        draw();
      });
      header.append(button);
      header.classList.add("sorts");
    });
    search.addEventListener("input", draw);
    status?.addEventListener("change", draw);
    more.addEventListener("click", () => {
      chosenOf.limit = Infinity;
      draw();
      table.parentElement.focus(); // the button that had it is gone
    });
    const before = names.indexOf(chosenOf.column);
    if (before >= 0) sort(before, chosenOf.sign);
    // A browser may fill in what stood there before the page was loaded again.
    draw();
  }

  // An evaluation has the same number in all pictures and tables: who points at it in one sees it in the others.
  const joined = { places: null, rows: new Map(), names: [], kept: null, shown: null };

  function readPoints() {
    const table = document.getElementById("table");
    joined.places = new Map();
    joined.rows = new Map(Array.from(table?.rows ?? [], (row) => [row.dataset.point, row]));
    joined.names = Array.from(table?.tHead.rows[0].cells ?? [], (header) => header.textContent.trim());
    for (const each of document.querySelectorAll("[data-point]")) {
      const number = each.dataset.point;
      if (!joined.places.has(number)) joined.places.set(number, []);
      joined.places.get(number).push(each);
    }
  }

  const wordsOf = (row) =>
    Array.from(row.cells, (cell, column) => [joined.names[column], cell.textContent.trim()])
      .filter(([, text]) => text)
      .map((pair) => pair.join(" "))
      .join(" · ");

  function show(number) {
    if (number === joined.shown) return;
    if (!joined.places) readPoints();
    for (const each of joined.places.get(joined.shown) ?? []) each.classList.remove("lit");
    for (const each of joined.places.get(number) ?? []) each.classList.add("lit");
    joined.shown = number;
    document.body.classList.toggle("picking", number !== null);
    const row = joined.rows.get(number);
    document.getElementById("picked").textContent = row ? wordsOf(row) : "";
  }

  function pressed() {
    for (const button of document.querySelectorAll(".pick")) {
      button.setAttribute("aria-pressed", String(button.closest("tr").dataset.point === joined.kept));
    }
  }

  function keep(number) {
    joined.kept = number === joined.kept ? null : number;
    pressed();
    show(joined.kept);
  }

  function listenForPoints() {
    const numberAt = (event) => event.target.closest?.("[data-point]")?.dataset.point ?? null;
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") show(numberAt(event) ?? joined.kept);
    });
    document.addEventListener("click", (event) => {
      const number = numberAt(event);
      if (number !== null) keep(number);
      else if (joined.kept !== null && event.target.closest("svg")) keep(joined.kept);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && joined.kept !== null) keep(joined.kept);
    });
  }

  // What is new on the page gets what scripts add: sorting, the keyboard's way to a point, stops of the Tab key.
  function refresh(part) {
    const find = (id) => part.querySelector(`#${id}`);
    const table = find("table");
    // The keyboard's way in: the first cell of each row.
    for (const row of part.querySelectorAll("tr[data-point]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pick";
      button.title = "Show in all pictures";
      button.setAttribute("aria-pressed", "false");
      button.append(...row.cells[0].childNodes);
      row.cells[0].append(button);
    }
    joined.places = null;
    if (table) {
      manage(table, find("search"), find("status"), find("shown"), find("more"));
      find("tools").hidden = false;
    }
    for (const region of part.querySelectorAll(".scroll")) {
      regions.observe(region);
      regions.observe(region.firstElementChild);
    }
    const lit = joined.shown;
    if (lit !== null) {
      joined.shown = null;
      show(lit);
      pressed();
    }
  }

  // What leaves the page is let go.
  function release(part) {
    for (const region of part.querySelectorAll(".scroll")) {
      regions.unobserve(region);
      regions.unobserve(region.firstElementChild);
    }
    joined.places = null;
  }

  document.addEventListener("DOMContentLoaded", () => {
    offerThemes(document.getElementById("theme"));
    listenForPoints();
    refresh(document);
  });
  return { refresh, release };
})();
