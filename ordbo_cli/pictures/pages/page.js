"use strict";
(() => {
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
  function stopWhereItScrolls(region) {
    const update = () => {
      const scrolls = region.scrollWidth > region.clientWidth + 1 || region.scrollHeight > region.clientHeight + 1;
      if (scrolls) region.tabIndex = 0;
      else region.removeAttribute("tabindex");
    };
    const observer = new ResizeObserver(update);
    observer.observe(region);
    observer.observe(region.firstElementChild);
  }

  // The value that a cell is sorted by; null comes last whichever way.
  function keyOf(cell, numeric) {
    const text = (cell.dataset.key ?? cell.textContent).trim();
    if (text === "") return null;
    return numeric ? Number(text) : text;
  }

  function manage(table, search, status, shown, more) {
    const body = table.tBodies[0];
    const headers = Array.from(table.tHead.rows[0].cells);
    const numeric = headers.map((header) => header.classList.contains("number"));
    const collator = new Intl.Collator("en", { numeric: true });
    const statusColumn = Number(table.dataset.status);
    let limit = 1000; // rows that a browser lays out in an instant
    let order = "";

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

    function draw() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = status ? status.value : "*";
      const found = rows.filter(
        (entry) => (wanted === "*" || wanted === `=${entry.status}`) && words.every((word) => entry.text.includes(word)),
      );
      const drawn = document.createDocumentFragment();
      for (const { row } of found.slice(0, limit)) drawn.append(row);
      body.replaceChildren(drawn);
      const hits = found.length < rows.length ? `${found.length} of ${rows.length}` : rows.length;
      const cut = found.length > limit ? `, the first ${limit} shown` : "";
      shown.textContent = `${hits} ${shown.dataset.noun}${rows.length === 1 ? "" : "s"}${cut}${order}`;
      more.hidden = found.length <= limit;
    }

    function sort(column) {
      const header = headers[column];
      const sign = header.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      const compare = numeric[column] ? (a, b) => a - b : collator.compare;
      rows.sort((one, other) => {
        const [a, b] = [one.keys[column], other.keys[column]];
        // a tie keeps the order of the file; Infinity minus itself is NaN, which is no order
        if (a === b) return one.place - other.place;
        if (a === null || b === null) return a === null ? 1 : -1;
        return sign * compare(a, b) || one.place - other.place;
      });
      for (const each of headers) each.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      order = `, sorted by ${header.textContent}, ${sign > 0 ? "ascending" : "descending"}`;
      draw();
    }

    headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => sort(column));
      header.append(button);
      header.classList.add("sorts");
    });
    search.addEventListener("input", draw);
    status?.addEventListener("change", draw);
    more.addEventListener("click", () => {
      limit = Infinity;
      draw();
      table.parentElement.focus(); // the button that had it is gone
    });
    // A browser may fill in what stood there before the page was loaded again.
    draw();
  }

  // An evaluation has the same number in all pictures and tables: who points at it in one sees it in the others.
  function joinPoints(table, said) {
    const places = new Map();
    const rows = new Map(Array.from(table.tBodies[0].rows, (row) => [row.dataset.point, row]));
    for (const each of document.querySelectorAll("[data-point]")) {
      const number = each.dataset.point;
      if (!places.has(number)) places.set(number, []);
      places.get(number).push(each);
    }
    if (!places.size) return;
    const names = Array.from(table.tHead.rows[0].cells, (header) => header.textContent.trim());
    let kept = null; // the number that was clicked
    let shown = null;

    const words = (row) =>
      Array.from(row.cells, (cell, column) => [names[column], cell.textContent.trim()])
        .filter(([, text]) => text)
        .map((pair) => pair.join(" "))
        .join(" · ");

    function show(number) {
      if (number === shown) return;
      for (const each of places.get(shown) ?? []) each.classList.remove("lit");
      for (const each of places.get(number) ?? []) each.classList.add("lit");
      shown = number;
      document.body.classList.toggle("picking", number !== null);
      const row = rows.get(number);
      said.textContent = row ? words(row) : "";
    }

    function keep(number) {
      kept = number === kept ? null : number;
      for (const button of document.querySelectorAll(".pick")) {
        button.setAttribute("aria-pressed", String(button.closest("tr").dataset.point === kept));
      }
      show(kept);
    }

    const numberAt = (event) => event.target.closest?.("[data-point]")?.dataset.point ?? null;
    document.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") show(numberAt(event) ?? kept);
    });
    document.addEventListener("click", (event) => {
      const number = numberAt(event);
      if (number !== null) keep(number);
      else if (kept !== null && event.target.closest("svg")) keep(kept);
    });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && kept !== null) keep(kept);
    });
    // The keyboard's way in: the first cell of each row.
    for (const row of document.querySelectorAll("tr[data-point]")) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pick";
      button.title = "Show in all pictures";
      button.setAttribute("aria-pressed", "false");
      button.append(...row.cells[0].childNodes);
      row.cells[0].append(button);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const find = (id) => document.getElementById(id);
    offerThemes(find("theme"));
    joinPoints(find("table"), find("picked"));
    manage(find("table"), find("search"), find("status"), find("shown"), find("more"));
    find("tools").hidden = false;
    document.querySelectorAll(".scroll").forEach(stopWhereItScrolls);
  });
})();
