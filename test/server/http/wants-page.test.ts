/** Which failures are pages: those of addresses that people open. */
import { expect, test } from 'bun:test'
import { wantsPage } from '../../../server/http/wants-page.ts'

const asked = (path: string, method = 'GET', accept = 'text/html,*/*') =>
  wantsPage(new Request(`http://svc.test${path}`, { method, headers: { accept } }))

test('a browser gets a page for what is not there, a program JSON', () => {
  const paths = ['/nothing', '/p/acme', '/v1/swagger/acme/pets', '/v1/nothing', '/v1/swaggering', '/_app/x', '/mcp']
  expect(paths.filter((path) => asked(path))).toEqual(['/nothing', '/p/acme', '/v1/swagger/acme/pets'])
  expect([asked('/nothing', 'HEAD'), asked('/nothing', 'POST'), asked('/nothing', 'GET', '*/*')]).toEqual([
    true,
    false,
    false,
  ])
})
