"use strict";
(() => {
  const PAGE = 10;
  const byId = (id) => document.getElementById(id);
  const sources = [...document.querySelectorAll("script.texts")];
  const parsed = new Map();
  const controls = {
    task: byId("pick-task"), a: byId("pick-a"), b: byId("pick-b"), sort: byId("pick-sort"),
    search: byId("search"), all: byId("all"),
  };
  let texts;
  let order = [];
  let page = 0;

  // Texts reach the page by textContent alone: whatever they hold is shown and nothing of it runs.
  const node = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const option = (value, text) => {
    const made = node("option", "", text);
    made.value = value;
    return made;
  };

  const load = (number) => {
    if (!parsed.has(number)) parsed.set(number, JSON.parse(sources[number].textContent));
    return parsed.get(number);
  };

  // --- n-grams that a hypothesis shares with its references ---

  const grams = (tokens, n) => {
    const found = [];
    for (let i = 0; i + n <= tokens.length; i += 1) found.push(tokens.slice(i, i + n).join(" "));
    return found;
  };

  const match = (tokens, references, most) => {
    const longest = new Uint8Array(tokens.length);
    const counts = [];
    for (let n = 1; n <= most; n += 1) {
      const left = new Map();
      for (const reference of references) {
        const own = new Map();
        for (const gram of grams(reference, n)) own.set(gram, (own.get(gram) || 0) + 1);
        for (const [gram, count] of own) left.set(gram, Math.max(count, left.get(gram) || 0));
      }
      let matched = 0;
      const all = grams(tokens, n);
      all.forEach((gram, i) => {
        const count = left.get(gram) || 0;
        if (!count) return;
        left.set(gram, count - 1);
        matched += 1;
        longest.fill(n, i, i + n);
      });
      counts.push([matched, all.length]);
    }
    return { longest, counts };
  };

  // --- search and order ---

  const bare = (text) => text.toLowerCase().replace(/\s+/gu, "");
  const spell = (tokens) => tokens.map((i) => texts.vocabulary[i]).join("");
  const haystack = (i) => {
    texts.haystacks ||= [];
    texts.haystacks[i] ||= bare([
      texts.source ? texts.source[i] : "",
      ...texts.references[i].map(spell),
      ...texts.systems.map((system) => spell(system.tokens[i])),
    ].join("\u0000"));
    return texts.haystacks[i];
  };

  const arrange = () => {
    const wanted = bare(controls.search.value);
    const a = texts.systems[controls.a.value];
    const b = texts.systems[controls.b.value];
    const value = {
      score: (i) => a.scores[i],
      difference: (i) => a.scores[i] - b.scores[i],
    };
    order = [...texts.references.keys()].filter((i) => !wanted || haystack(i).includes(wanted));
    const [key, direction] = controls.sort.value.split("-");
    if (value[key]) {
      const sign = direction === "down" ? -1 : 1;
      order.sort((i, j) => sign * (value[key](i) - value[key](j)) || i - j);
    }
    page = 0;
    show();
  };

  // --- what is shown ---

  const line = (who, detail, words, { lang = "", direction = "auto" } = {}) => {
    const row = node("div", "text");
    const left = node("div", "who");
    left.append(node("b", "", who));
    if (detail) left.append(" ", node("span", "", detail));
    const right = node("div");
    if (lang) words.lang = lang;
    words.dir = direction;
    right.append(words);
    row.append(left, right);
    return row;
  };

  const cut = (tokens, longest) => {
    const words = node("div", "words");
    if (!tokens.length) words.append(node("span", "empty", "empty"));
    tokens.forEach((token, i) => {
      const level = longest ? Math.min(longest[i], 4) : 0;
      // a space, and not a margin: it keeps letters of two tokens from joining, and lines may break
      if (i) words.append(" ");
      words.append(node("span", level ? `token n${level}` : "token", texts.vocabulary[token]));
    });
    return words;
  };

  const card = (i) => {
    const made = node("article", "card");
    const title = node("h3", "", `Segment ${i + 1}`);
    title.id = `segment-${i + 1}`;
    made.setAttribute("aria-labelledby", title.id);
    if (texts.labels) title.append(" ", node("span", "soft", texts.labels[i]));
    made.append(title);
    if (texts.source) made.append(line("Source", "", node("div", "words whole", texts.source[i])));
    texts.references[i].forEach((reference, r) => {
      const who = texts.references[i].length > 1 ? `Reference ${r + 1}` : "Reference";
      made.append(line(who, "", cut(reference), texts));
    });
    const a = Number(controls.a.value);
    const b = controls.b.value === "" ? -1 : Number(controls.b.value);
    const rest = controls.all.checked ? [...texts.systems.keys()].filter((s) => s !== a && s !== b) : [];
    for (const s of [a, ...(b < 0 ? [] : [b]), ...rest]) {
      const system = texts.systems[s];
      const { longest, counts } = match(system.tokens[i], texts.references[i], texts.order);
      const row = line(system.system, system.scores[i].toFixed(1), cut(system.tokens[i], longest), texts);
      const matches = counts.map(([matched, total], n) => `${n + 1}-grams ${matched}/${total}`);
      row.lastChild.append(node("div", "matches", `shared ${matches.join(", ")}`));
      made.append(row);
    }
    return made;
  };

  const show = () => {
    const pages = Math.max(1, Math.ceil(order.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const from = page * PAGE;
    const shown = order.slice(from, from + PAGE);
    byId("cards").replaceChildren(...shown.map(card));
    byId("found").textContent = order.length
      ? `${order.length.toLocaleString("en")} of ${texts.references.length.toLocaleString("en")} segments; ${from + 1} to ${from + shown.length} shown`
      : "No segment holds this text.";
    byId("page").textContent = `Page ${page + 1} of ${pages}`;
    byId("previous").disabled = page === 0;
    byId("next").disabled = page === pages - 1;
  };

  const offerSorts = () => {
    const kept = controls.sort.value;
    const a = texts.systems[controls.a.value].system;
    const sorts = [
      option("place", "place in the text"),
      option("score-up", `score of ${a}, lowest first`),
      option("score-down", `score of ${a}, highest first`),
    ];
    if (controls.b.value !== "") {
      const b = texts.systems[controls.b.value].system;
      sorts.push(
        option("difference-down", `${a} − ${b}, ${a} better first`),
        option("difference-up", `${a} − ${b}, ${b} better first`),
      );
    }
    controls.sort.replaceChildren(...sorts);
    if (sorts.some((sort) => sort.value === kept)) controls.sort.value = kept;
  };

  const enter = () => {
    texts = load(Number(controls.task.value));
    const names = texts.systems.map((system, i) => option(i, system.system));
    controls.a.replaceChildren(...names);
    controls.b.replaceChildren(option("", "none"), ...names.map((name) => name.cloneNode(true)));
    controls.a.value = texts.first[0];
    controls.b.value = texts.first.length > 1 ? texts.first[1] : "";
    controls.all.closest("label").hidden = names.length < 3;
    offerSorts();
    arrange();
  };

  const turn = (by) => {
    page += by;
    show();
    byId("found").scrollIntoView({ block: "nearest" });
  };

  const legend = document.querySelector("#segments .legend");
  for (let n = 1; n <= 4; n += 1) legend.append(node("span", `token n${n}`, n === 4 ? "4+" : String(n)));
  controls.task.append(...sources.map((source, i) => option(i, source.dataset.name)));

  controls.task.addEventListener("change", enter);
  for (const control of [controls.a, controls.b]) {
    control.addEventListener("change", () => { offerSorts(); arrange(); });
  }
  controls.sort.addEventListener("change", arrange);
  controls.all.addEventListener("change", show);
  let waiting;
  controls.search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(arrange, 150);
  });
  byId("controls").addEventListener("submit", (event) => { event.preventDefault(); arrange(); });
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("browser").hidden = false;
  enter();
})();
