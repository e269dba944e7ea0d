"use strict";
(() => {
  const cellText = (row, column) => row.cells[column].textContent.trim();
  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.key ?? cell.textContent.trim();
    const number = Number(text);
    return text !== "" && Number.isFinite(number) ? number : text;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...body.rows].map((row) => [key(row, column), row]);
        rows.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
        body.append(...rows.map((pair) => pair[1]));
      });
    });
  }
  for (const controls of document.querySelectorAll("[data-filters]")) {
    const rows = [...document.getElementById(controls.dataset.filters).tBodies[0].rows];
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const words = controls.querySelector("[data-words]");
    const choices = [...controls.querySelectorAll("select")];
    const output = controls.querySelector("output");
    const show = () => {
      const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const kept =
          wanted.every((word) => texts.get(row).includes(word)) &&
          choices.every((choice) => !choice.value || cellText(row, Number(choice.dataset.column)) === choice.value);
        row.hidden = !kept;
        shown += kept;
      }
      output.textContent = `${shown} of ${rows.length} rows`;
    };
    controls.addEventListener("input", show);
    controls.hidden = false;
    show();
  }
  window.addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details")) part.open = true;
  });
})();
