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
  const { entries } = await openWeb()
  const { hint, browserHint = hint } = catalogue[error.code] as { hint: string; browserHint?: string }
  const title = titles[error.status] ?? 'This page cannot be shown'
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${entries.documentation.styles.map((path) => `<link rel="stylesheet" href="/app/${path}">`).join('\n')}
</head>
<body>
<header class="frame"><a class="brand" href="/app/" aria-label="svc, home">svc</a><nav aria-label="Help"><a href="/docs">Documentation</a></nav></header>
<main class="plain boxed">
<h1>${title}</h1>
<p>${escapeHtml(error.message)}</p>
<p>${escapeHtml(browserHint)}</p>
<p>${error.status === 401 ? `<a class="button" href="${escapeHtml(signIn)}">Sign in</a>` : '<a class="button" href="/app/">Open svc</a>'}</p>
</main>
</body>
</html>
`
  return new Response(request.method === 'HEAD' ? null : html, { status: error.status, headers: pageHeaders([]) })
}
