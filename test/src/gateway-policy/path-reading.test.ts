/** How servers read paths, and what rules make of it. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { evaluate } from '../../../src/gateway-policy/evaluate.ts'
import { isTerm, type Expression } from '../../../src/gateway-policy/expression.ts'
import { ruleActions } from '../../../src/gateway-policy/model.ts'
import { isOdd, leanOf, readingsOf } from '../../../src/gateway-policy/path-reading.ts'
import { oddRequests, pathTrees, trees } from './arbitrary.ts'
import { sentPaths, servers } from './servers.ts'

test('what a server looks for is among the readings of a path, unless the path is unclear', () => {
  fc.assert(
    fc.property(sentPaths, (path) => {
      const { texts, withoutEnd, isUnclear } = readingsOf(path)
      if (isUnclear) return
      const missing = Object.entries(servers)
        .filter(([, read]) => ![...texts, withoutEnd].includes(read(path)))
        .map(([server, read]) => `${server}: ${read(path)}`)
      expect(missing).toEqual([])
    }),
    { numRuns: 3000 },
  )
})

test('a path that is not odd has one reading, without the slash at its end', () => {
  fc.assert(
    fc.property(sentPaths, (path) => {
      if (isOdd(path)) return
      const { texts, isUnclear } = readingsOf(path)
      expect([texts[0], isUnclear]).toEqual([decodeURIComponent(path), false])
      // Of an encoded "?" not everybody knows that it is a part of the path.
      const [before = '', ...after] = decodeURIComponent(path).split('?')
      const whole = [before, ...after].join('?').replaceAll('+', ' ')
      expect(texts.slice(1)).toEqual(after.length === 0 ? [] : [before, whole])
    }),
    { numRuns: 2000 },
  )
})

/** An expression over the path that a server looks for. */
function meets(it: Expression, path: string): boolean {
  if (isTerm(it)) return evaluate(it, { path: encodeURIComponent(path).replaceAll('%2F', '/') }, 'every') === true
  if ('not' in it) return !meets(it.not, path)
  return 'and' in it ? it.and.every((one) => meets(one, path)) : it.or.some((one) => meets(one, path))
}

test('a rule that refuses applies where one server would serve what it names, one that lets pass only where all would', () => {
  const plain = /^(?:\/(?:[A-Za-z0-9é+:~* -]|\.(?=[a-z])|(?<=[a-z])\.)+)+\/?$/
  fc.assert(
    fc.property(pathTrees, sentPaths, (tree, path) => {
      const seen = Object.values(servers)
        .map((read) => read(path))
        .filter((it) => plain.test(it))
      if (seen.some((it) => meets(tree, it))) expect(evaluate(tree, { path }, 'some')).toBe(true)
      if (!seen.every((it) => meets(tree, it))) expect(evaluate(tree, { path }, 'every')).toBe(false)
    }),
    { numRuns: 3000 },
  )
})

test('what all readings meet, one of them meets', () => {
  fc.assert(
    fc.property(trees, oddRequests, (tree, request) => {
      const [every, some] = [evaluate(tree, request, 'every'), evaluate(tree, request, 'some')]
      if (every === true) expect(some).toBe(true)
      if (some === false) expect(every).toBe(false)
    }),
    { numRuns: 2000 },
  )
})

test('rules that let pass ask for all readings, the others for one', () => {
  expect(ruleActions.filter((it) => leanOf(it) === 'every')).toEqual(['allow', 'skip'])
})

const verdicts = (value: string, op: 'starts' | 'eq', paths: readonly string[]): string[] =>
  paths.map((path) => {
    const truths = (['some', 'every'] as const).map((lean) =>
      evaluate({ field: 'http.path', op, value }, { path }, lean),
    )
    return `${path}: ${truths[0] === true ? (truths[1] === true ? 'refuse, let pass' : 'refuse') : '–'}`
  })

test('a prefix is met by every way to write it', () => {
  expect(
    verdicts('/admin', 'starts', [
      '/admin', '/admin/', '/administrator', '/%61dmin', '//admin', '/./admin', '/x/../admin', '/;/admin', '/x/..;/admin', '/\\admin',
      '/%5cadmin', '/x/%2e%2e/admin', '/x/..%2fadmin', '/%2561dmin', '/%61dmin%zz', '/admin%00', '/admin/..', '/admin/../x', '/x%2f..%2fy', '/x//y',
      '/x;y=1', '/x%2fadmin', '/ADMIN', '/x/admin',
    ]), // prettier-ignore
  ).toEqual([
    '/admin: refuse, let pass',
    '/admin/: refuse, let pass',
    '/administrator: refuse, let pass',
    '/%61dmin: refuse, let pass',
    '//admin: refuse',
    '/./admin: refuse',
    '/x/../admin: refuse',
    '/;/admin: refuse',
    '/x/..;/admin: refuse',
    '/\\admin: refuse',
    '/%5cadmin: refuse',
    '/x/%2e%2e/admin: refuse',
    '/x/..%2fadmin: refuse',
    '/%2561dmin: refuse',
    '/%61dmin%zz: refuse',
    '/admin%00: refuse',
    '/admin/..: refuse',
    '/admin/../x: refuse',
    '/x%2f..%2fy: refuse',
    '/x//y: –',
    '/x;y=1: –',
    '/x%2fadmin: –',
    '/ADMIN: –',
    '/x/admin: –',
  ])
})

test('a slash at the end is another path for what lets pass, and the same for what refuses', () => {
  expect(verdicts('/admin', 'eq', ['/admin', '/admin/', '/admin//', '/admin;x=1', '/admin/x'])).toEqual([
    '/admin: refuse, let pass',
    '/admin/: refuse',
    '/admin//: refuse',
    '/admin;x=1: refuse',
    '/admin/x: –',
  ])
  expect(verdicts('/admin/', 'eq', ['/admin', '/admin/'])).toEqual(['/admin: –', '/admin/: refuse, let pass'])
})
