import { catalogue, type SvcError } from '../../src/errors.ts'
import { pageHeaders } from './documentation-page.ts'
import { escapeHtml } from './html.ts'
import { openWeb } from './serve.ts'

/** Where one signs in and comes back to the page that was asked for, without a key that its link carried. */
const signInAddress = (request: Request): string => {
  const { pathname, searchParams } = new URL(request.url)
  searchParams.delete('api_key')
  const back = `${pathname}${searchParams.size === 0 ? '' : `?${searchParams.toString()}`}`
  return `/app/sign-in?back=${encodeURIComponent(back)}`
}

const titles: Readonly<Record<number, string>> = {
  401: 'This link does not open the documentation',
  403: 'You cannot open this page',
  404: 'This page was not found',
}

/**
 * The page for a failure: the sign-in where credentials are missing, with the way back; else what is wrong and what to do.
 */
export async function failurePage(error: SvcError, request: Request): Promise<Response> {
  const signIn = signInAddress(request)
  if (error.code === 'credentials-missing') return new Response(null, { status: 302, headers: { location: signIn } })
  const { hint, browserHint = hint } = catalogue[error.code] as { hint: string; browserHint?: string }
  const title = titles[error.status] ?? 'This page cannot be shown'
  const action = error.status === 401 ? { href: signIn, name: 'Sign in' } : { href: '/app/', name: 'Open svc' }
  const html = await plainPage(
    title,
    [error.message, browserHint],
    `<a class="button" href="${escapeHtml(action.href)}">${action.name}</a>`,
  )
  return new Response(request.method === 'HEAD' ? null : html, { status: error.status, headers: pageHeaders([]) })
}

/**
 * A page that says one thing, in the frame of this service.
 * @param action HTML of what can be done
 */
export async function plainPage(title: string, paragraphs: readonly string[], action: string): Promise<string> {
  const { entries } = await openWeb()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
${entries.documentation.styles.map((path) => `<link rel="stylesheet" href="/app/${path}">`).join('\n')}
</head>
<body>
<header class="frame"><a class="brand" href="/app/" aria-label="svc, home">svc</a><nav aria-label="Help"><a href="/docs">Documentation</a></nav></header>
<main class="plain boxed">
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<p>${action}</p>
</main>
</body>
</html>
`
}
