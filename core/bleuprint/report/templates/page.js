"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");

  // Light or dark: the system's choice, until the reader makes one.
  const button = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const stored = {
    // a browser may refuse storage to a page that is opened from a file
    get() { try { return localStorage.getItem("bleuprint-theme"); } catch { return null; } },
    set(theme) { try { localStorage.setItem("bleuprint-theme", theme); } catch { /* lasts for this visit */ } },
  };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const label = () => { button.textContent = isDark() ? "Light theme" : "Dark theme"; };
  if (["light", "dark"].includes(stored.get())) root.dataset.theme = stored.get();
  button.hidden = false;
  label();
  system.addEventListener("change", label);
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    stored.set(root.dataset.theme);
    label();
  });

  // Copy a signature.
  const select = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };
  for (const copy of document.querySelectorAll("button.copy")) {
    copy.addEventListener("click", async () => {
      let done = true;
      try {
        await navigator.clipboard.writeText(copy.dataset.copy);
      } catch {
        // without permission, or from an insecure place, there is only the selection
        select(copy.parentElement.querySelector("code"));
        done = document.execCommand("copy");
      }
      copy.textContent = done ? "Copied" : "Press Ctrl+C";
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    });
  }

  // Sort a table by a column; cells without a value stay at the end.
  const sortBy = (table, column, kind, descending) => {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].dataset.value;
    const known = [...body.rows].filter((row) => value(row) !== "");
    const rest = [...body.rows].filter((row) => value(row) === "");
    const compare = kind === "number"
      ? (a, b) => Number(value(a)) - Number(value(b))
      : (a, b) => value(a).localeCompare(value(b), "en", { numeric: true });
    known.sort((a, b) => (descending ? compare(b, a) : compare(a, b)));
    body.append(...known, ...rest);
  };
  for (const table of document.querySelectorAll("table.scores")) {
    const heads = [...table.tHead.rows[0].cells];
    const first = [...table.tBodies[0].rows];
    heads.forEach((head, column) => {
      const sorter = head.querySelector(".sort");
      sorter.addEventListener("click", () => {
        const numbers = sorter.dataset.kind === "number";
        const now = head.getAttribute("aria-sort");
        const descending = now === "none" ? numbers : now === "ascending";
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sortBy(table, column, sorter.dataset.kind, descending);
        // lines between clusters make sense in the first order only
        table.toggleAttribute("data-reordered", first.some((row, i) => table.tBodies[0].rows[i] !== row));
      });
    });
  }

  // On paper all is open.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });

  // Draw the charts, one after the other.  The first ones are there as soon as the page has loaded,
  // for what makes a PDF of it then; the others leave the reader time to scroll.
  const AT_ONCE = 60;
  const { config, charts } = JSON.parse(document.getElementById("charts").textContent);
  const draw = async () => {
    for (const [number, { id, spec }] of charts.entries()) {
      if (number >= AT_ONCE) await new Promise((done) => { setTimeout(done); });
      await vegaEmbed(document.getElementById(id), spec, {
        mode: "vega-lite",
        renderer: "svg",
        actions: false,
        ast: true, // expressions are interpreted: the page's policy allows no eval
        config,
        defaultStyle: false,
        tooltip: { disableDefaultStyle: true, theme: "page" },
      });
    }
    root.dataset.charts = "drawn";
  };
  draw();
})();
