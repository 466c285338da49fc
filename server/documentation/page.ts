import { escapeHtml } from '../web/html.ts'
import type { DocumentationEntry } from '../../web/pack.ts'

export interface DocumentationPage {
  /** The name of the API. */
  readonly title: string
  /** The label of the version: "2.1.0". */
  readonly version: string
  /** What the page shows: operations, or workflows; operations when omitted. */
  readonly kind?: 'openapi' | 'arazzo'
  /** Where the document of this version is answered, as a path of this service, without any credential. */
  readonly documentUrl: string
  /** Where the workflows that joined the version are answered; none when omitted. */
  readonly workflowsUrl?: string
  /** "deprecated" and "retired" are shown beside the version. */
  readonly status?: 'draft' | 'published' | 'deprecated' | 'retired'
  /**
   * Server URLs of the document. The browser may then send the requests that a reader composes to these hosts; without
   * any, the page only shows. Relative and non-HTTP addresses are skipped.
   */
  readonly servers?: readonly string[]
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

/**
 * The interactive page of one version (`GET /v1/swagger/{tenant}/{project}/{version}`): complete HTML and its headers.
 * Its renderer comes from this service alone; nothing is requested from any other origin unless the reader sends a
 * request to a server of the document. Inline styles are allowed here and on no other page: the renderer needs them.
 */
export const documentationPage = (
  page: DocumentationPage,
  entry: DocumentationEntry,
): { readonly html: string; readonly headers: Readonly<Record<string, string>> } => {
  const origins = originsOf(page.servers ?? [])
  const title = escapeHtml(page.title)
  const documentUrl = escapeHtml(page.documentUrl)
  const label = escapeHtml(page.version) + (page.status && page.status !== 'published' ? ` · ${page.status}` : '')
  const kind = page.kind ?? 'openapi'
  const named = kind === 'arazzo' ? 'Arazzo document' : 'OpenAPI document'
  const setting = {
    title: page.title,
    kind,
    documentUrl: page.documentUrl,
    workflowsUrl: page.workflowsUrl ?? null,
    mayCall: origins.length > 0,
    outlineStyle: `/app/${entry.outlineStyle}`,
  }
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title} ${escapeHtml(page.version)}</title>
<link rel="icon" href="data:,">
${entry.styles.map((path) => `<link rel="stylesheet" href="/app/${path}">`).join('\n')}
<script type="application/json" id="setting">${embedJson(setting)}</script>
<script type="module" src="/app/${entry.script}"></script>
</head>
<body>
<header class="frame">
<h1>${title}</h1><span class="label">${label}</span>
<nav aria-label="This version">${page.workflowsUrl === undefined ? '' : '<a href="?view=operations">Operations</a><a href="?view=workflows">Workflows</a>'}<a href="${documentUrl}">${named}</a></nav>
</header>
<main id="state" class="plain" hidden><p role="status">Loading the document …</p></main>
<noscript><main class="plain"><h2>This page needs JavaScript</h2>
<p>The same content is the <a href="${documentUrl}">${named}</a> of this version, as JSON.</p></main></noscript>
<div id="reference"></div>
</body>
</html>
`
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      // The address may carry a key: neither the page nor its address belongs into a shared cache.
      'cache-control': 'private, no-cache',
    },
  }
}
