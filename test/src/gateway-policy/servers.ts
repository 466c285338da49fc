/** How servers make of the path of a request the one that they look for, written without the code under test. */
import fc from 'fast-check'

function decoded(path: string): string {
  const bytes = path.replaceAll(/%([0-9a-fA-F]{2})|[^%]/gu, (whole, code: string | undefined) =>
    code === undefined ? Buffer.from(whole).toString('latin1') : String.fromCodePoint(Number.parseInt(code, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Empty segments and dot segments go, one after the other until there is none. */
function clean(path: string): string {
  let it = path.replaceAll(/\/{2,}/g, '/')
  for (;;) {
    // Names before "..", which are removed with it, are looked for when no "." is left.
    const next = /\/\.(?:\/|$)/.test(it)
      ? it.replace(/\/\.(?=\/|$)/, '')
      : it.replace(/^\/\.\.(?=\/|$)/, '').replace(/\/(?!\.\.(?:\/|$))[^/]+\/\.\.(?=\/|$)/, '')
    if (next === it) return it === '' ? '/' : it
    it = next
  }
}

/** As RFC 3986, section 5.2.4 has it: empty segments are segments. */
const standard = (path: string): string => decoded(new URL(`http://a${path}`).pathname)
const withoutParameters = (path: string): string => path.replaceAll(/;[^/]*/g, '')
const withSlashes = (path: string): string => path.replaceAll('\\', '/')

export const servers: Readonly<Record<string, (path: string) => string>> = {
  'compares what was sent, decoded': decoded,
  'decodes, merges slashes and removes dot segments (nginx, Apache)': (it) => clean(decoded(it)),
  'removes dot segments as they were sent, then decodes (Go, Envoy with merged slashes)': (it) => decoded(clean(it)),
  'follows the standard of URLs (Node, Deno, .NET)': standard,
  'takes parameters out, decodes, removes dot segments (Tomcat, Jetty)': (it) => clean(decoded(withoutParameters(it))),
  'is Tomcat behind an nginx that sends on what it decoded': (it) =>
    clean(decoded(withoutParameters(clean(decoded(it))))),
  'takes a backslash for a slash (IIS)': (it) => clean(withSlashes(decoded(it))),
  'decodes twice': (it) => clean(decoded(decoded(it))),
}

const segments = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'ab', 'c') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '', '.', '..', '...', '%2e', '%2E%2e', '.%2e', 'a%2fb', '%2f', '..%2f', 'a%2Fa', '%5c', 'a%5Cb', '%5c..', ';x', 'a;x=1', '..;', '..;x', ';a%2fb',
      '%3b', 'a%3bx', '%61', '%252e%252e', 'a%252fb', '%252f..', 'a%2561', '%3f', 'a%3fb', 'a%23', '%20', 'a+b', '%C3%A9', '.a', 'a.', '..a', '~', '%7e',
      'a;x;y;z', 'a:b', '*',
    ), // prettier-ignore
  },
)
/** Paths as clients send them, also those who look for a way around a rule. */
export const sentPaths = fc.array(segments, { minLength: 1, maxLength: 6 }).map((it) => `/${it.join('/')}`)
