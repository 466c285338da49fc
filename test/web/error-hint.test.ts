import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { endpoints } from '../../src/api/contracts.gen.ts'
import { catalogue, type Code } from '../../src/errors.ts'
import { commandAreas, raisedInBrowser } from '../../web/build.ts'
import { browserHint, hintOf } from '../../web/src/parts/error-hint.ts'

test('no error in a browser tells people to run a command, to set a variable or to send a header', () => {
  const foreign =
    /\bsvc |--[a-z]|\bcurl\b|SVC_[A-Z]|`|\bbody\.|\/v1\/|X-API-Key|Retry-After|[Rr]un the command|\bAllow header|Content-Type/
  const codes = Object.keys(catalogue) as Code[]
  expect(codes.filter((code) => foreign.test(browserHint(code)) || browserHint(code) === '')).toEqual([])
  expect(browserHint('project-not-found')).toBe('Check the address, or choose a project from the list.')
  expect(hintOf('no-such-code')).toBeNull()
})

test('a browser has the texts of every error that an operation answers', async () => {
  const answered = new Set<string>(endpoints.flatMap(({ errors }) => errors))
  for (const area of commandAreas) {
    const entries = (await import(join(import.meta.dir, '../../src/errors', `${area}.ts`))) as Record<string, object>
    const codes = Object.values(entries).flatMap((codes) => Object.keys(codes))
    expect(codes.length).toBeGreaterThan(0)
    expect(codes.filter((code) => answered.has(code))).toEqual([])
  }
})

test('a browser has the message of every error that the application raises itself', async () => {
  const folder = join(import.meta.dir, '../../web/src')
  const raised = new Set<string>()
  for await (const path of new Bun.Glob('**/*.{ts,tsx}').scan({ cwd: folder })) {
    const text = await Bun.file(join(folder, path)).text()
    const [, first] = /new SvcError\((known|code),/.exec(text) ?? []
    // The way back from an identity provider names its code.
    if (first !== undefined) expect(path).toBe('features/sign-in/sign-in-page.tsx')
    for (const [, code = ''] of text.matchAll(/new SvcError\(\s*'([\w-]+)'/g)) raised.add(code)
  }
  expect([...raised].filter((code) => !raisedInBrowser.includes(code))).toEqual([])
  expect(raisedInBrowser.filter((code) => !Object.hasOwn(catalogue, code))).toEqual([])
})
