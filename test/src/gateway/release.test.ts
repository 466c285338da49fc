/** Why releases are made, and what differs between two of them. */
import { expect, test } from 'bun:test'
import type { Setting } from '../../../src/gateway/compile/model.ts'
import { causeOf, differsInVersionOnly, isInForce, type ReleaseInputs } from '../../../src/gateway/release/cause.ts'
import { differencesOfFiles, differencesOfSettings, hunksOf } from '../../../src/gateway/release/difference.ts'
import { filesDigest, sha256Of } from '../../../src/gateway/release/digest.ts'

const inputs: ReleaseInputs = {
  policyVersion: 3,
  versionId: 'v1',
  documentDigest: 'd1',
  slug: 'production',
  hostnames: [],
  basePaths: ['/v1'],
  evidence: 'digest',
  exceptions: ['a', 'b'],
  engines: ['coraza'],
}

test('the most important difference is the cause; what is the same has none', () => {
  const now = (more: Partial<ReleaseInputs>) => causeOf(inputs, { ...inputs, ...more })
  expect([
    causeOf(null, inputs),
    now({}),
    now({ policyVersion: 4, versionId: 'v2', exceptions: [] }),
    now({ versionId: 'v2', documentDigest: 'd2', exceptions: ['a'] }),
    now({ documentDigest: 'd2' }),
    now({ exceptions: ['a'] }),
    now({ exceptions: ['a'], slug: 'prod' }),
    now({ slug: 'prod' }),
    now({ hostnames: ['api.example.com'] }),
    now({ evidence: 'shape' }),
    now({ basePaths: [], engines: ['coraza', 'modsecurity'] }),
    now({ engines: ['coraza', 'modsecurity'] }),
    now({ engines: ['modsecurity'] }),
    // A gateway that left, and an exception that came with this very policy, need no other release.
    now({ engines: [] }),
    now({ exceptions: ['a', 'b', 'c'] }),
    now({ compiler: 1 }),
    now({ compiler: 1, exceptions: ['a'] }),
    now({ compiler: 1, slug: 'prod' }),
    now({ compiler: 1, engines: ['coraza', 'modsecurity'] }),
    now({ compiler: 1, policyVersion: 4 }),
    causeOf({ ...inputs, compiler: 2 }, { ...inputs, compiler: 1 }),
  ]).toEqual([
    'policy',
    null,
    'policy',
    'publish',
    'publish',
    'exception-expired',
    'exception-expired',
    'environment',
    'environment',
    'environment',
    'environment',
    'enforcer',
    'enforcer',
    null,
    null,
    'compiler',
    'compiler',
    'environment',
    'enforcer',
    'policy',
    null,
  ])
})

test('files differ by lines, with their places on both sides', () => {
  expect(hunksOf('a\nb\nc\n', 'a\nc\nd\ne\n')).toEqual([
    { before: 2, after: 2, removed: ['b'], added: [] },
    { before: 4, after: 3, removed: [], added: ['d', 'e'] },
  ])
  expect(hunksOf('', 'a\n')).toEqual([{ before: 1, after: 1, removed: [], added: ['a'] }])
  const before = [
    { path: 'a.conf', text: 'x\n' },
    { path: 'b.conf', text: 'same\n' },
    { path: 'c.conf', text: '1\n2\n' },
  ]
  const after = [
    { path: 'b.conf', text: 'same\n' },
    { path: 'c.conf', text: '1\n3\n' },
    { path: 'd.conf', text: 'new\n' },
  ]
  expect(differencesOfFiles('coraza', before, after)).toEqual([
    { engine: 'coraza', path: 'a.conf', change: 'removed', added: 0, removed: 1 },
    { engine: 'coraza', path: 'c.conf', change: 'changed', added: 1, removed: 1 },
    { engine: 'coraza', path: 'd.conf', change: 'added', added: 1, removed: 0 },
  ])
})

test('settings differ by state or reason', () => {
  const setting = (name: string, state: Setting['state'], reason: string | null = null) => ({
    setting: name,
    state,
    reason,
  })
  const before = [
    setting('tier', 'enforced'),
    setting('bot', 'approximated', 'By name.'),
    setting('rule:1', 'enforced'),
    setting('rule:2', 'approximated', 'By name.'),
    setting('rule:3', 'not-enforced', 'No.'),
  ]
  const after = [
    setting('rule:2', 'enforced'),
    setting('tier', 'enforced'),
    setting('bot', 'approximated', 'By list.'),
    setting('rate', 'not-enforced', 'No.'),
  ]
  expect(differencesOfSettings('coraza', before, after)).toEqual([
    { engine: 'coraza', setting: 'bot', before: 'approximated', after: 'approximated', reason: 'By list.' },
    { engine: 'coraza', setting: 'rule:1', before: 'enforced', after: null, reason: null },
    { engine: 'coraza', setting: 'rule:2', before: 'approximated', after: 'enforced', reason: null },
    { engine: 'coraza', setting: 'rule:3', before: 'not-enforced', after: null, reason: 'No.' },
    { engine: 'coraza', setting: 'rate', before: null, after: 'not-enforced', reason: 'No.' },
  ])
})

test('the digest of files is of their paths and digests, and of nothing else', () => {
  const file = { path: 'svc.conf', sha256: sha256Of('a') }
  expect(sha256Of('a')).toBe('ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb')
  expect(filesDigest([file])).toBe(sha256Of(`[{"path":"svc.conf","sha256":"${file.sha256}"}]`))
  expect(filesDigest([{ ...file, bytes: 1 } as typeof file])).toBe(filesDigest([file]))
})

test('a release is in force where nothing differs, or the compiler alone', () => {
  const inForce = (more: Partial<ReleaseInputs>) => isInForce(inputs, { ...inputs, ...more })
  expect([
    inForce({}),
    inForce({ compiler: 1 }),
    inForce({ policyVersion: 4 }),
    inForce({ slug: 'prod' }),
    // Engines end an exception by themselves.
    inForce({ compiler: 1, exceptions: ['a'] }),
    inForce({ exceptions: ['a'] }),
  ]).toEqual([true, true, false, false, true, false])
})

test('a release differs in the version only where its document is all that is new', () => {
  const versionOnly = (more: Partial<ReleaseInputs>) => differsInVersionOnly(inputs, { ...inputs, ...more })
  expect([
    versionOnly({}),
    versionOnly({ versionId: 'v2' }),
    versionOnly({ versionId: 'v2', documentDigest: 'd2', compiler: 1 }),
    versionOnly({ versionId: 'v2', policyVersion: 4 }),
    versionOnly({ policyVersion: 4 }),
    versionOnly({ compiler: 1 }),
  ]).toEqual([false, true, true, false, false, false])
})
