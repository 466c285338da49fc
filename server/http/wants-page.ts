/** Addresses that people open: documentation and portals. */
const pages = /^\/(?:v1\/swagger|p)(?:\/|$)/

/** Whether a request is a browser's that opens a page: who asks for HTML there gets a page for a failure too. */
export const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.get('accept')?.includes('text/html') === true &&
  pages.test(new URL(request.url).pathname)
