/** Addresses that programs ask: what fails there is answered as JSON to browsers too. */
const forPrograms = /^\/(?:v1\/(?!swagger(?:\/|$))|_app\/|mcp(?:\/|$))/

/** Whether a request is a browser's that opens a page: who asks for HTML there gets a page for a failure too. */
export const wantsPage = (request: Request): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.get('accept')?.includes('text/html') === true &&
  !forPrograms.test(new URL(request.url).pathname)
