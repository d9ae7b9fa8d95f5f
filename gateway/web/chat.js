// The chat page. It shows what the REST and event-stream routes give and holds no
// rule of its own: words come as HTML that the server made harmless.
"use strict";

const $ = (id) => document.getElementById(id);
const state = { key: "", rows: [], asked: 0, stays: true, list: null, older: "", source: null, run: "", files: [], live: "", thought: "", calls: [], sent: new Map(), leaf: "", branch: "" };

async function api(method, path, body) {
  const res = await fetch(path, {
    method, credentials: "same-origin",
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = res.headers.get("Content-Type")?.startsWith("application/json") ? await res.json() : {};
  if (res.status === 401) showLogin();
  if (!res.ok) throw new Error(answer.error?.message || res.statusText);
  return answer;
}

const at = (path) => `/sessions/${encodeURIComponent(state.key)}${path}`;
const view = () => `parts=true&includeThinking=${$("thinking").checked}&includeTools=${$("tools").checked}${state.branch ? `&leaf=${encodeURIComponent(state.branch)}` : ""}`;

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) e.setAttribute(name, value === true ? "" : value);
  }
  e.append(...children);
  return e;
}

function say(text) { $("note").textContent = text || ""; }
function guarded(f) { return async (...args) => { try { await f(...args); } catch (e) { say(e.message); } }; }

// Signing in. A token in the fragment comes from a share link; it never reaches a
// server in a URL.
function showLogin() {
  state.source?.close();
  state.list?.close();
  $("app").hidden = true;
  $("login").hidden = false;
  $("token").focus();
}

$("login").addEventListener("submit", async (e) => {
  e.preventDefault();
  try {
    await api("POST", "/login", { token: $("token").value });
    $("token").value = "";
    await start();
  } catch (err) { $("login-error").textContent = err.message; }
});

async function start() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has("token")) {
    history.replaceState(null, "", location.pathname);
    await api("POST", "/login", { token: fragment.get("token") });
  }
  await loadSessions();
  const models = await api("GET", "/v1/models");
  $("models").replaceChildren(...models.data.slice(1).map((m) => element("option", { value: m.id }))); // the first is the session's own
  $("login").hidden = true;
  $("app").hidden = false;
  const wanted = fragment.get("session") || sessionStorage.getItem("session");
  const row = state.rows.find((r) => r.key === wanted) || state.rows[0];
  if (row) await openSession(row.key);
}

// Sessions. The list follows by itself while the page is looked at: a browser has few
// connections, and a tab that nobody sees needs none for it.
const listQuery = () => `preview=1&limit=200&search=${encodeURIComponent($("search").value.trim())}`;
async function loadSessions() { if (await askSessions("")) followSessions(); }

// askSessions shows a list; it is false where another one was asked for meanwhile.
async function askSessions(more) {
  const ask = ++state.asked;
  state.list?.close();
  state.list = null;
  const list = await api("GET", `/sessions?${listQuery()}${more}`);
  if (ask === state.asked) showSessions(list.sessions);
  return ask === state.asked;
}

function followSessions() {
  state.list?.close();
  state.list = null;
  if (document.hidden) return;
  const source = state.list = new EventSource(`/sessions?${listQuery()}`);
  const on = (name, f) => source.addEventListener(name, (e) => { if (state.list === source) f(JSON.parse(e.data)); });
  on("sessions", (list) => showSessions(list.sessions));
  on("changed", (e) => {
    const rest = state.rows.filter((r) => r.key !== e.key);
    showSessions(e.session ? [e.session, ...rest].sort((a, b) => (b.updatedAt || 0) - (a.updatedAt || 0)) : rest);
    if (e.session && e.key === state.key) showTitle(e.session);
  });
}
document.addEventListener("visibilitychange", () => { if (!$("app").hidden) followSessions(); });

function showSessions(rows) {
  state.rows = rows;
  const had = new Map([...$("sessions").children].map((e) => [e.dataset.row, e]));
  $("sessions").replaceChildren(...rows.map((r) => {
    const text = JSON.stringify(r);
    const item = had.get(text) || element("li", { "data-row": text }, sessionButton(r));
    item.firstChild.setAttribute("aria-current", r.key === state.key);
    return item;
  }));
  $("none").hidden = rows.length > 0;
  $("none").textContent = $("search").value.trim() ? "Nothing found." : "No sessions yet.";
}

function sessionButton(r) {
  const last = r.preview?.items.at(-1)?.text;
  const facts = [r.hasActiveRun ? "writing…" : "", r.updatedAt ? new Date(r.updatedAt).toLocaleString([], { dateStyle: "short", timeStyle: "short" }) : "", r.model].filter(Boolean).join(" · ");
  return element("button", { "data-key": r.key, title: r.key, onclick: guarded(() => openSession(r.key)) },
    element("span", { class: "line" }, titleOf(r)), last ? element("small", { class: "line" }, last) : "", element("small", { class: "line" }, facts));
}

// A key is no title.
const titleOf = (r) => r.title === r.key ? "New session" : r.title;

function showTitle(r) {
  $("title").textContent = titleOf(r);
  $("title").title = r.key;
  document.title = `${titleOf(r)} – Hygeia`;
}

async function openSession(key) {
  state.key = key;
  state.leaf = state.branch = "";
  sessionStorage.setItem("session", key);
  $("app").classList.remove("menu");
  $("menu").setAttribute("aria-expanded", "false");
  const row = await api("GET", at("?preview=1"));
  showTitle(row);
  $("model").value = row.model || "";
  $("archive").textContent = row.archived ? "Unarchive" : "Archive";
  $("export-html").href = at("/export?as=html&includeTools=true");
  $("export-markdown").href = at("/export?as=markdown&includeTools=true");
  for (const b of $("sessions").querySelectorAll("button")) b.setAttribute("aria-current", b.dataset.key === key);
  if ($("health").getAttribute("aria-expanded") === "true") await showHealth(); else closePanel();
  follow();
}

// The stream. A browser comes back by itself and names the message that it saw
// last, so nothing is lost and nothing comes twice.
function follow() {
  state.source?.close();
  $("messages").replaceChildren();
  state.older = ""; // an empty page is at its top, and must not ask for what was in front of the last one
  $("older").hidden = true;
  setLive("", "");
  const source = new EventSource(at(`/history?limit=100&live=true&${view()}`));
  state.source = source;
  const on = (name, f) => source.addEventListener(name, (e) => { if (state.source === source) f(JSON.parse(e.data)); });
  on("history", (page) => {
    $("messages").replaceChildren(...page.messages.map(card));
    for (const m of page.messages) state.sent.delete(m.__openclaw?.idempotencyKey);
    for (const sent of state.sent.values()) if (sent.key === state.key) $("messages").append(sent.row); // not stored yet
    state.older = page.hasMore ? page.nextCursor : "";
    $("older").hidden = !state.older;
    toEnd(true);
  });
  on("message", (e) => {
    if (e.message.role === "assistant" && state.run) setLive(state.run, ""); // it is what was being written
    put(e.message);
  });
  on("replace", (e) => { if (drawn(e.message)) put(e.message); }); // of one that is not loaded, the older page tells
  on("delta", (e) => {
    setLive(e.runId, e.replace ? e.deltaText : state.live + e.deltaText);
    if (e.replaceThinking) state.thought = "";
    state.thought += e.deltaThinking || "";
    if (e.calls) state.calls = e.calls;
    showLiveParts();
  });
  on("end", guarded(async (e) => {
    setLive("", "");
    unsent(`${e.runId}:user`); // it was never stored
    const run = await api("GET", at(`/runs/${encodeURIComponent(e.runId)}`));
    if (run.status === "error") say(run.error);
  }));
  source.onerror = () => { if (source.readyState === EventSource.CLOSED && state.source === source) setTimeout(guarded(() => checkSession(source)), 1000); };
}

// checkSession looks why a stream is over for good, unless the page shows another one now.
async function checkSession(source) {
  if (state.source !== source) return;
  await api("GET", at(""));
  if (state.source === source) follow();
}

const atEnd = () => $("log").scrollHeight - $("log").scrollTop - $("log").clientHeight < 80;
function toEnd(force) { if (force || atEnd()) { $("log").scrollTop = $("log").scrollHeight; state.stays = true; } }
// Whoever reads the end keeps it in view, however the page or a message grows.
const growth = new ResizeObserver(() => { if (state.stays) $("log").scrollTop = $("log").scrollHeight; });
for (const id of ["log", "messages", "live"]) growth.observe($(id));

// drawn returns the card that a message has already.
function drawn(message) {
  const id = message.__openclaw?.id;
  return id && $("messages").querySelector(`[data-id="${CSS.escape(id)}"]`);
}

function put(message) {
  const stay = atEnd();
  const old = drawn(message);
  if (old) old.replaceWith(card(message));
  else $("messages").insertBefore(card(message), $("messages").querySelector("[data-sent]"));
  const key = message.__openclaw?.idempotencyKey;
  if (key) unsent(key);
  toEnd(stay);
}

// What was sent stands below the messages until it is one of them.
function unsent(key) {
  state.sent.get(key)?.row.remove();
  state.sent.delete(key);
}

function setLive(run, text) {
  const stay = atEnd();
  if (run !== state.run) { state.thought = ""; state.calls = []; showLiveParts(); }
  state.run = run; state.live = text;
  $("live").hidden = !run;
  $("live").querySelector("p").textContent = text;
  $("stop").hidden = !run;
  toEnd(stay);
}

// What is thought and asked of tools while an answer is being written.
function showLiveParts() {
  const stay = atEnd(), thought = $("live").querySelector(".thinking");
  thought.textContent = state.thought;
  thought.hidden = !state.thought;
  $("live").querySelector(".calls").replaceChildren(...state.calls.map((c) => element("li", {}, `calls ${c.name} `, element("code", {}, c.arguments || ""))));
  toEnd(stay);
}

// One message.
function card(m) {
  const meta = m.__openclaw || {};
  const who = m.senderLabel || (m.role === "toolResult" ? `result of ${m.toolName || "a tool"}` : m.role);
  const when = m.timestamp || meta.recordTimestampMs;
  const head = element("header", {}, element("strong", {}, who), element("time", {}, when ? new Date(when).toLocaleString() : ""));
  const body = (m.parts || []).map((p) => piece(p, m));
  const e = element("article", { class: `${m.role} ${meta.kind || ""}`.trim(), "data-id": meta.id }, head, ...body);
  if (meta.kind) { head.remove(); return e; }
  head.append(element("button", { onclick: () => navigator.clipboard?.writeText(e.querySelector(".words")?.innerText || e.innerText) }, "Copy"));
  if (meta.id && m.role === "user") head.append(element("button", { title: "Go on from before this turn", onclick: guarded(() => branch(e, meta.id)) }, "Branch"));
  if (meta.truncated && meta.id) head.append(element("button", { onclick: guarded(() => showFull(e, meta.id)) }, "Show full"));
  return e;
}

function piece(p, m) {
  switch (p.kind) {
    case "text": {
      const e = element("div", { class: "words" });
      e.innerHTML = p.html || ""; // made harmless by the server
      return e;
    }
    case "thinking": return element("details", {}, element("summary", {}, "thinking"), element("pre", {}, p.text || ""));
    case "call": return element("details", { class: "tool" }, element("summary", {}, `calls ${p.name}`), element("pre", {}, pretty(p.text)));
    case "result": return element("details", { open: m.isError === true }, element("summary", {}, m.isError ? "failed" : "result"), element("pre", {}, p.text || ""));
    default: {
      const block = (m.content || []).findIndex?.((b) => b.type === p.name && b.omitted && !b.shown);
      if (p.name === "image" && block >= 0 && m.__openclaw?.id) {
        m.content[block].shown = true;
        const n = m.content.slice(0, block).filter((b) => b.type === "image").length;
        return element("img", { alt: "attached picture", loading: "lazy", src: at(`/pictures/${encodeURIComponent(m.__openclaw.id)}/${n}${state.branch ? `?leaf=${encodeURIComponent(state.branch)}` : ""}`) });
      }
      return element("p", {}, `[${p.name} ${p.text || ""}]`);
    }
  }
}

function pretty(text) { try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text || ""; } }

async function showFull(e, id) {
  try {
    const answer = await api("GET", at(`/messages/${encodeURIComponent(id)}?${view()}`));
    e.replaceWith(card(answer.message));
  } catch (err) { say(`The full message cannot be shown: ${err.message}`); }
}

// A branch goes on from the message before the turn; nothing is overwritten.
async function branch(e, id) {
  let before = e.previousElementSibling;
  while (before && !before.dataset.id) before = before.previousElementSibling;
  if (!before) throw new Error("There is nothing before this turn.");
  state.leaf = before.dataset.id;
  $("text").value = e.querySelector(".words")?.innerText || "";
  $("text").focus();
  say("The next message makes a branch from here. Esc goes back.");
}

// Branches: the one that is chosen is shown, and the next message goes on there.
function showBranch(leaf, note) {
  state.branch = state.leaf = leaf;
  say(note);
  follow();
}
$("branches").addEventListener("click", guarded(async () => {
  const { branches } = await api("GET", at("/branches"));
  $("more").open = false;
  openPanel("Branches", element("ul", { class: "branches" }, ...branches.map(branchItem)));
}));

// A branch is told by the words with which it begins and ends, not by ids.
function branchItem(b) {
  const name = b.begins || b.ends || "without words";
  return element("li", {},
    element("button", { class: "line", title: b.leaf, "aria-current": b.active, onclick: () => showBranch(b.active ? "" : b.leaf, b.active ? "" : "The next message goes on in this branch. Esc goes back.") }, name),
    element("small", { class: "line" }, [b.active ? "active" : "", b.ends && b.ends !== name ? `… ${b.ends}` : ""].filter(Boolean).join(" ")),
    element("button", { title: "Copy this branch into a session of its own", onclick: guarded(() => fork(b.leaf)) }, "Copy"));
}

async function fork(leaf) {
  const row = await api("POST", at("/fork"), { leaf, title: `${$("title").textContent.slice(0, 45)} (copy)` });
  closePanel();
  await openSession(row.key);
}

$("older").addEventListener("click", guarded(async () => {
  if (!state.older || $("older").disabled) return;
  $("older").disabled = true; // one page at a time
  try { await loadOlder(); } finally { $("older").disabled = false; }
}));
async function loadOlder() {
  const source = state.source;
  const page = await api("GET", at(`/history?limit=100&cursor=${encodeURIComponent(state.older)}&${view()}`));
  if (state.source !== source) return; // another session or view was opened
  const height = $("log").scrollHeight, top = $("log").scrollTop;
  $("messages").prepend(...page.messages.map(card));
  $("log").scrollTop = top + $("log").scrollHeight - height;
  state.older = page.hasMore ? page.nextCursor : "";
  $("older").hidden = !state.older;
}
$("log").addEventListener("scroll", () => { state.stays = atEnd(); }, { passive: true });
$("log").addEventListener("scroll", () => { if ($("log").scrollTop < 200 && state.older) $("older").click(); }, { passive: true });

// Sending.
function compose(text, files, leaf) {
  $("text").value = text;
  state.files = files;
  state.leaf = leaf;
  showFiles();
}
$("compose").addEventListener("submit", guarded(async (e) => {
  e.preventDefault();
  const text = $("text").value.trim(), { files, leaf, key } = state;
  if (!text && files.length === 0) return;
  compose("", [], ""); // at once: what is typed from here on is the next message
  const id = crypto.randomUUID();
  try {
    if (!state.key) await newSession();
    const body = { message: text, idempotencyKey: id, attachments: files.map((f) => ({ data: f.data, mimeType: f.type })) };
    if ($("model").value.trim()) body.model = $("model").value.trim();
    if (leaf) body.leaf = leaf;
    const row = element("article", { class: "user", "data-sent": `${id}:user` }, element("header", {}, element("strong", {}, "user"), "sending…"), element("p", {}, text));
    $("messages").append(row);
    state.sent.set(`${id}:user`, { key: state.key, row });
    toEnd(true);
    await api("POST", at("/messages"), body);
    say("");
    if (state.branch) showBranch("", ""); // it is the active one now
  } catch (err) {
    unsent(`${id}:user`);
    compose([text, $("text").value].filter(Boolean).join("\n"), [...files, ...state.files], state.key === key ? leaf : state.leaf);
    throw err;
  }
}));

$("text").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && !e.shiftKey && !e.isComposing) { e.preventDefault(); $("compose").requestSubmit(); }
});
$("stop").addEventListener("click", guarded(() => api("DELETE", at(`/runs/${encodeURIComponent(state.run)}`))));

$("attach").addEventListener("change", guarded(async () => {
  for (const file of $("attach").files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    let binary = "";
    for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    state.files.push({ name: file.name, type: file.type, data: btoa(binary) });
  }
  $("attach").value = "";
  showFiles();
}));
function showFiles() {
  $("files").replaceChildren(...state.files.map((f, i) => element("li", {}, f.name, " ",
    element("button", { type: "button", "aria-label": `Remove ${f.name}`, onclick: () => { state.files.splice(i, 1); showFiles(); } }, "×"))));
}

// What is done with sessions.
async function newSession() {
  const row = await api("POST", "/sessions", $("model").value.trim() ? { model: $("model").value.trim() } : {});
  await loadSessions();
  await openSession(row.key);
  $("text").focus();
}
$("new").addEventListener("click", guarded(newSession));
$("rename").addEventListener("click", guarded(async () => {
  const title = prompt("Title", $("title").textContent);
  if (title === null) return;
  await api("PATCH", at(""), { title });
  $("title").textContent = title;
  await loadSessions();
}));
$("archive").addEventListener("click", guarded(async () => {
  await api("PATCH", at(""), { archived: $("archive").textContent === "Archive" });
  await loadSessions();
  if (state.rows[0]) await openSession(state.rows[0].key);
}));
$("compact").addEventListener("click", guarded(async () => { say("Compacting…"); await api("POST", at("/compact"), {}); say(""); }));
$("share").addEventListener("click", guarded(async () => {
  const s = await api("POST", at("/shares"), { expiresInSeconds: 7 * 24 * 3600 });
  prompt("This link shows the session for a week", `${location.origin}/#${new URLSearchParams({ session: state.key, token: s.token })}`);
}));
$("logout").addEventListener("click", guarded(async () => { await api("POST", "/logout", {}); showLogin(); }));
$("model").addEventListener("change", guarded(async () => { if (state.key) { await api("PATCH", at(""), { model: $("model").value.trim() }); await loadSessions(); } }));
for (const id of ["thinking", "tools"]) $(id).addEventListener("change", () => { if (state.key) follow(); });
$("search").addEventListener("input", guarded(loadSessions));
$("search").addEventListener("keydown", guarded(async (e) => { // what is said takes longer to look through
  if (e.key === "Enter" && $("search").value.trim()) await askSessions("&texts=true");
}));
document.addEventListener("click", (e) => { // beside the list of a small screen
  if (!$("app").classList.contains("menu") || e.target.closest("#side, #menu")) return;
  $("app").classList.remove("menu");
  $("menu").setAttribute("aria-expanded", "false");
});
$("menu").addEventListener("click", () => { $("menu").setAttribute("aria-expanded", $("app").classList.toggle("menu")); });

// Find looks through the whole session and loads as much of it as it takes to show the
// newest message that holds the text.
$("find").addEventListener("click", guarded(async () => {
  const word = prompt("Find in this session")?.trim();
  for (const mark of $("messages").querySelectorAll("mark")) mark.replaceWith(mark.textContent);
  if (!word) return;
  const { matches, total } = await api("GET", at(`/search?${new URLSearchParams({ text: word, limit: 1, includeThinking: $("thinking").checked, includeTools: $("tools").checked, ...(state.branch ? { leaf: state.branch } : {}) })}`));
  const source = state.source;
  const shown = () => $("messages").querySelector(`[data-id="${CSS.escape(matches[0].id)}"]`);
  $("older").disabled = true; // one page at a time
  try { while (total && !shown() && state.older && state.source === source) await loadOlder(); } finally { $("older").disabled = false; }
  const count = mark(word);
  const last = (total && shown()?.querySelector("mark")) || [...$("messages").querySelectorAll("mark")].pop();
  for (let e = last; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
  last?.scrollIntoView({ block: "center" });
  say(count || total ? `${total} ${total === 1 ? "message holds" : "messages hold"} it.` : "Nothing found.");
}));

// mark marks a text in the messages that are loaded.
function mark(word) {
  const walker = document.createTreeWalker($("messages"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (walker.currentNode.data.toLowerCase().includes(word.toLowerCase())) found.push(walker.currentNode);
  for (const node of found) {
    const rest = node.splitText(node.data.toLowerCase().indexOf(word.toLowerCase()));
    rest.splitText(word.length);
    rest.replaceWith(element("mark", {}, rest.data));
  }
  return found.length;
}

// The health panel: what the engine would change for each provider, and why.
$("health").addEventListener("click", guarded(async () => {
  if ($("health").getAttribute("aria-expanded") === "true") closePanel(); else await showHealth();
}));

// The panel holds what is looked at besides the messages: health or branches.
function openPanel(name, ...children) {
  $("panel").setAttribute("aria-label", name);
  $("panel").hidden = false;
  $("health").setAttribute("aria-expanded", name === "Health");
  $("panel").replaceChildren(element("div", { class: "head" }, element("h2", {}, name), element("button", { "aria-label": "Close", onclick: closePanel }, "×")), ...children);
}
function closePanel() {
  $("panel").hidden = true;
  $("health").setAttribute("aria-expanded", "false");
}
async function showHealth(of) {
  const h = await api("GET", at(`/health${of ? `?${new URLSearchParams({ to: of.target, api: of.api || "" })}` : ""}`));
  const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const facts = [`${h.bytes.toLocaleString()} bytes`, count(h.branches, "branch", "branches"), `${count(h.shown, "message", "messages")} shown`,
    count(h.problems.length, "fault in the file", "faults in the file"), count(h.backups.length, "backup", "backups")].join(", ");
  const rows = h.targets.map((t) => element("tr", {},
    element("td", {}, element("button", { onclick: guarded(() => showHealth(t)) }, t.target, element("small", {}, ` ${t.api || ""}`))),
    element("td", {}, t.empty ? "nothing to send" : t.rules.length ? `refuses it as it is: ${t.rules.join(", ")}` : "takes it as it is"),
    element("td", {}, count(t.changes, "change", "changes"))));
  const changes = (h.changes || []).map((c) => element("tr", {}, element("td", {}, c.rule), element("td", {}, c.op), element("td", {}, c.entry || String(c.message)), element("td", {}, c.reason)));
  openPanel("Health", element("p", {}, facts),
    ...h.problems.map((p) => element("p", {}, p)),
    element("table", {}, element("tbody", {}, ...rows)),
    ...(of ? [element("h2", {}, `Changes for ${of.target} (${of.api})`), changes.length ? element("table", {}, element("tbody", {}, ...changes)) : element("p", {}, "Nothing has to change.")] : []));
}

// Keys.
addEventListener("keydown", (e) => {
  const typing = /^(INPUT|TEXTAREA)$/.test(e.target.tagName);
  if (e.key === "Escape") {
    if (state.branch) showBranch("", ""); else if (state.leaf) { state.leaf = ""; say(""); } else if (state.run) $("stop").click();
    $("app").classList.remove("menu");
    $("more").open = false;
    return;
  }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "/") { e.preventDefault(); $("search").focus(); }
  if (e.key === "n") { e.preventDefault(); $("new").click(); }
  if (e.key === "c") { e.preventDefault(); $("text").focus(); }
});

start().catch((e) => { showLogin(); if (!/missing or wrong/.test(e.message)) $("login-error").textContent = e.message; });
