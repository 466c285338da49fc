import { escapeHtml } from './html.ts'
import type { Entry } from '../../web/pack.ts'

type Status = 'draft' | 'published' | 'deprecated' | 'retired'

export interface DocumentationPage {
  /** The name of the API. */
  readonly title: string
  /** The label of the version: "2.1.0". */
  readonly version: string
  /** What the page shows: operations, or workflows; operations when omitted. */
  readonly kind?: 'openapi' | 'arazzo'
  /** Where the document of this version is answered, as a path of this service, without any credential. */
  readonly documentUrl: string
  /** Below this path the parts of the documentation are answered. */
  readonly partsUrl: string
  /** Where the workflows that joined the version are answered; none when omitted. */
  readonly workflowsUrl?: string
  readonly status?: Status
  /** The portal that lists it for everybody: the name of the organization, and a path of this service. */
  readonly portal?: { readonly name: string; readonly url: string }
  /** Its page in the application, for those who are signed in. */
  readonly applicationUrl?: string
  /** The Atom feed of what is published of the project. */
  readonly feedUrl?: string
  /** The versions that the reader may open, this one among them; newest first. */
  readonly versions?: readonly { readonly label: string; readonly status: Status; readonly page: string }[]
  readonly lifecycle?: {
    readonly deprecatedAt: string | null
    readonly sunsetAt: string | null
    readonly retiredAt: string | null
    readonly replacement: { readonly label: string; readonly page: string } | null
  }
  /**
   * Server URLs of the document. The browser may then send the requests that a reader composes to these hosts; without
   * any, the page only shows. Relative and non-HTTP addresses are skipped. Null: they are not known yet.
   */
  readonly servers?: readonly string[] | null
}

/** At most so many hosts: a policy header must not grow with the document. */
const maxServers = 20

const originsOf = (servers: readonly string[]): string[] => {
  const origins = new Set<string>()
  for (const server of servers) {
    const url = URL.parse(server)
    // A host of a template ("https://{region}.example.com") is not a host: it would widen or break the policy.
    if (url && /^https?:$/.test(url.protocol) && /^[\w.:[\]-]+$/.test(url.host)) origins.add(url.origin)
    if (origins.size === maxServers) break
  }
  return [...origins]
}

/** JSON that may be in a script element: no tag and no comment can end it. */
const embedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const day = (date: string): string =>
  `<time datetime="${escapeHtml(date)}" title="${escapeHtml(date.slice(0, 19).replace('T', ' '))} UTC">${escapeHtml(date.slice(0, 10))}</time>`

const notice = (html: string): string => `<aside class="banner" aria-label="State of this version">${html}</aside>`

const bannerOf = ({ status, lifecycle }: DocumentationPage): string => {
  if (status === 'draft') return notice('This is a draft. It may change at any time, and only members see it.')
  if ((status !== 'deprecated' && status !== 'retired') || lifecycle === undefined) return ''
  const { deprecatedAt, sunsetAt, retiredAt, replacement } = lifecycle
  const said =
    status === 'retired'
      ? [`This version is retired${retiredAt === null ? '' : ` since ${day(retiredAt)}`}.`]
      : [
          `This version is deprecated${deprecatedAt === null ? '' : ` since ${day(deprecatedAt)}`}.`,
          ...(sunsetAt === null ? [] : [`It is served until ${day(sunsetAt)}.`]),
        ]
  if (replacement !== null)
    said.push(`Use <a href="${escapeHtml(replacement.page)}">version ${escapeHtml(replacement.label)}</a> instead.`)
  return notice(said.join(' '))
}

const labelOf = (label: string, status: Status | undefined): string =>
  escapeHtml(label) + (status !== undefined && status !== 'published' ? ` · ${status}` : '')

/** The way up: everything that the organization has published for everybody. */
const portalLink = ({ portal }: DocumentationPage): string =>
  portal === undefined
    ? ''
    : `<a class="up" href="${escapeHtml(portal.url)}" aria-label="All APIs of ${escapeHtml(portal.name)}">${escapeHtml(portal.name)}</a><span class="of" aria-hidden="true">/</span>`

const switchOf = ({ version, status, versions = [] }: DocumentationPage): string => {
  if (versions.length < 2) return `<span class="label">${labelOf(version, status)}</span>`
  const items = versions.map((it) => {
    const current = it.label === version ? ' aria-current="page"' : ''
    return `<li><a href="${escapeHtml(it.page)}"${current}>${labelOf(it.label, it.status)}</a></li>`
  })
  return `<details class="switch"><summary class="label" aria-label="Version ${labelOf(version, status)}: choose another">${labelOf(version, status)}</summary><ul>${items.join('')}</ul></details>`
}

const linksOf = (page: DocumentationPage): string => {
  const { workflowsUrl, applicationUrl, kind = 'openapi', documentUrl } = page
  const named = kind === 'arazzo' ? 'Arazzo document' : 'OpenAPI document'
  const links = [
    ...(workflowsUrl === undefined
      ? []
      : ['<a href="?view=operations">Operations</a>', '<a href="?view=workflows">Workflows</a>']),
    ...(kind === 'arazzo' ? [] : ['<a href="#changes">Changes</a>']),
    `<a href="${escapeHtml(documentUrl)}">${named}</a>`,
    ...(applicationUrl === undefined ? [] : [`<a href="${escapeHtml(applicationUrl)}">Open in svc</a>`]),
  ]
  return links.join('')
}

/** Headers of a page of this service with scripts of its own and connections to `origins`. */
export const pageHeaders = (origins: readonly string[]): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  // The address may carry a key: neither the page nor its address belongs into a shared cache.
  'cache-control': 'private, no-cache',
})

/**
 * The interactive page of one version (`GET /v1/swagger/{tenant}/{project}/{version}`): complete HTML and its headers.
 * Everything it loads comes from this service; nothing is requested from any other origin unless the reader sends a
 * request to a server of the document.
 */
export const documentationPage = (
  page: DocumentationPage,
  entry: Entry,
): { readonly html: string; readonly headers: Readonly<Record<string, string>> } => {
  const origins = originsOf(page.servers ?? [])
  const title = escapeHtml(page.title)
  const documentUrl = escapeHtml(page.documentUrl)
  const setting = {
    title: page.title,
    label: page.version,
    kind: page.kind ?? 'openapi',
    documentUrl: page.documentUrl,
    partsUrl: page.partsUrl,
    workflowsUrl: page.workflowsUrl ?? null,
    feedUrl: page.feedUrl ?? null,
    // Null until the document was read: the page is loaded again then, with a policy that allows its servers.
    origins: page.servers === null ? null : origins,
  }
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} ${escapeHtml(page.version)}</title>
<link rel="icon" href="data:,">
${page.feedUrl === undefined ? '' : `<link rel="alternate" type="application/atom+xml" title="Published changes" href="${escapeHtml(page.feedUrl)}">`}
${entry.styles.map((path) => `<link rel="stylesheet" href="/app/${path}">`).join('\n')}
<script type="application/json" id="setting">${embedJson(setting)}</script>
<script type="module" src="/app/${entry.script}"></script>
</head>
<body>
<header class="frame">
${portalLink(page)}<h1>${title}</h1>${switchOf(page)}
<nav aria-label="This version">${linksOf(page)}</nav>
</header>
${bannerOf(page)}
<main id="state" class="plain" hidden><p role="status">Loading the documentation …</p></main>
<noscript><main class="plain"><h2>This page needs JavaScript</h2>
<p>The same content is the <a href="${documentUrl}">${(page.kind ?? 'openapi') === 'arazzo' ? 'Arazzo document' : 'OpenAPI document'}</a> of this version, as JSON.</p></main></noscript>
<div id="reference"></div>
</body>
</html>
`
  return { html, headers: pageHeaders(origins) }
}
