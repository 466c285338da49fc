/** A reference as one HTML page that needs nothing else: no network, no other file. */
import { described, type LinkOf, schemaBody, schemaLine } from './html-schema.ts'
import type { Example, Group, Media, OperationEntry, Parameter, Reference, Response } from './model.ts'
import { escapeHtml, safeHtml } from './safe-html.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { sha256Base64 } from '../../host/native.ts'

const digest = (text: string): string => `'sha256-${sha256Base64(text)}'`

// Nothing but what is in the page; a document cannot add to it, whatever its texts hold.
const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; base-uri 'none'; form-action 'none'`

const knownMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const methodText = (method: string): string =>
  `<span class="method ${knownMethods.has(method) ? method.toLowerCase() : 'other'}">${escapeHtml(method)}</span>`

const exampleText = ({ name, text }: Example): string =>
  `<details class="example"><summary>${escapeHtml(name)}</summary><pre>${escapeHtml(text)}</pre></details>`

const mediaText = ({ type, view, examples }: Media, linkOf: LinkOf): string =>
  `<div class="media"><p class="line"><code>${escapeHtml(type)}</code></p>${view === null ? '' : schemaBody(view, linkOf)}${examples.map(exampleText).join('')}</div>`

const parameterText = (parameter: Parameter, linkOf: LinkOf): string =>
  [
    `<li><code>${escapeHtml(parameter.name)}</code> <span class="place">${escapeHtml(parameter.place)}</span> `,
    parameter.view === null ? '' : schemaLine(parameter.view, linkOf),
    parameter.required ? ' <span class="tag">required</span>' : '',
    parameter.deprecated ? ' <span class="tag warn">deprecated</span>' : '',
    described(parameter.description),
    parameter.view === null || parameter.view.members.length === 0
      ? ''
      : `<details><summary>Parts of <code>${escapeHtml(parameter.name)}</code></summary>${schemaBody(parameter.view, linkOf)}</details>`,
    ...parameter.examples.map(exampleText),
    '</li>',
  ].join('')

const responseText = (response: Response, linkOf: LinkOf): string =>
  [
    `<li class="response"><strong>${escapeHtml(response.status)}</strong>${described(response.description)}`,
    response.headers.length === 0
      ? ''
      : `<details><summary>Headers</summary><ul class="members">${response.headers.map((one) => parameterText(one, linkOf)).join('')}</ul></details>`,
    ...response.media.map((one) => mediaText(one, linkOf)),
    '</li>',
  ].join('')

const operationText = (entry: OperationEntry, linkOf: LinkOf): string =>
  [
    `<section class="operation" id="${escapeHtml(entry.id)}" aria-labelledby="${escapeHtml(entry.id)}-title">`,
    `<h3 id="${escapeHtml(entry.id)}-title">${escapeHtml(entry.summary || entry.operationId || `${entry.method} ${entry.path}`)}<a class="anchor" href="#${escapeHtml(entry.id)}" aria-label="Link to ${escapeHtml(`${entry.method} ${entry.path}`)}">#</a></h3>`,
    `<p class="line">${entry.isWebhook ? '<span class="tag">webhook</span> ' : ''}${methodText(entry.method)} <code class="path">${escapeHtml(entry.path)}</code>${entry.deprecated ? ' <span class="tag warn">deprecated</span>' : ''}</p>`,
    entry.operationId === '' ? '' : `<p class="soft">operationId <code>${escapeHtml(entry.operationId)}</code></p>`,
    described(entry.description),
    entry.security.length === 0
      ? ''
      : `<p class="soft">Credentials: ${entry.security.map(escapeHtml).join(', or ')}</p>`,
    entry.parameters.length === 0
      ? ''
      : `<h4>Parameters</h4><ul class="members">${entry.parameters.map((one) => parameterText(one, linkOf)).join('')}</ul>`,
    entry.body === null
      ? ''
      : `<h4>Request body${entry.body.required ? '' : ' (optional)'}</h4>${described(entry.body.description)}${entry.body.media.map((one) => mediaText(one, linkOf)).join('')}`,
    entry.responses.length === 0
      ? ''
      : `<h4>Responses</h4><ul class="members">${entry.responses.map((one) => responseText(one, linkOf)).join('')}</ul>`,
    '</section>',
  ].join('\n')

const groupText = (it: Group, linkOf: LinkOf): string[] => [
  `<section class="group" id="${escapeHtml(it.id)}"><h2>${escapeHtml(it.name)}</h2>${described(it.description)}</section>`,
  ...it.operations.map((one) => operationText(one, linkOf)),
]

const entry = (id: string, words: string, content: string): string =>
  `<li data-words="${escapeHtml(words.toLowerCase())}"><a href="#${escapeHtml(id)}">${content}</a></li>`

const menuOf = ({ groups, schemas }: Reference): string[] => [
  ...groups.map(
    ({ name, operations }) =>
      `<details open><summary>${escapeHtml(name)}</summary><ul>${operations
        .map((operation) =>
          entry(
            operation.id,
            `${operation.method} ${operation.path} ${operation.summary} ${operation.operationId}`,
            `${methodText(operation.method)} <span>${escapeHtml(operation.summary || operation.path)}</span>`,
          ),
        )
        .join('')}</ul></details>`,
  ),
  schemas.length === 0
    ? ''
    : `<details${groups.length === 0 ? ' open' : ''}><summary>Schemas</summary><ul>${schemas.map(({ id, name }) => entry(id, name, escapeHtml(name))).join('')}</ul></details>`,
]

const introOf = (reference: Reference): string[] => [
  `<h1>${escapeHtml(reference.title)} <span class="soft">${escapeHtml(reference.version)}</span></h1>`,
  reference.summary === '' ? '' : `<p>${escapeHtml(reference.summary)}</p>`,
  described(reference.description),
  reference.servers.length === 0
    ? ''
    : `<h2>Servers</h2><ul>${reference.servers.map(({ url, description }) => `<li><code>${escapeHtml(url)}</code>${described(description)}</li>`).join('')}</ul>`,
  reference.security.length === 0
    ? ''
    : `<h2>Credentials</h2><ul>${reference.security.map(({ name, kind, description }) => `<li><code>${escapeHtml(name)}</code> ${escapeHtml(kind)}${described(description)}</li>`).join('')}</ul>`,
  reference.facts.length === 0
    ? ''
    : `<dl>${reference.facts.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${safeHtml(value)}</dd>`).join('')}</dl>`,
]

/** One HTML page, with both themes, a search and links to each operation and schema, in pieces. */
export function writeHtml(reference: Reference): string[] {
  const ids = new Map(reference.schemas.map(({ name, id }) => [name, id]))
  const linkOf: LinkOf = (name) => ids.get(name) ?? null
  const title = escapeHtml(`${reference.title} ${reference.version}`.trim())
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#content">Skip to the content</a>',
    `<header><a class="brand" href="#content">${title}</a><button type="button" id="theme">Theme</button></header>`,
    '<div class="layout">',
    '<nav aria-label="Operations and schemas"><details id="menu" open><summary>Contents</summary>',
    '<label for="search">Search operations and schemas</label>',
    '<input id="search" type="search" autocomplete="off" spellcheck="false">',
    '<p id="found" role="status"></p>',
    ...menuOf(reference),
    '</details></nav>',
    '<main id="content" tabindex="-1">',
    ...introOf(reference),
    ...reference.groups.flatMap((it) => groupText(it, linkOf)),
    ...(reference.schemas.length === 0 ? [] : ['<section class="group" id="schemas"><h2>Schemas</h2></section>']),
    ...reference.schemas.map(
      ({ id, name, view }) =>
        `<section class="schema" id="${escapeHtml(id)}"><h3>${escapeHtml(name)}<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(name)}">#</a></h3>${described(view.description)}${schemaBody(view, linkOf)}</section>`,
    ),
    '</main>',
    '</div>',
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ]
}
