/** The path of a request's address, without parsing the whole of it: it is asked several times for each request. */
export function pathOf(request: Request): string {
  const { url } = request
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (start < 0) return '/'
  const query = url.indexOf('?', start)
  return query < 0 ? url.slice(start) : url.slice(start, query)
}
