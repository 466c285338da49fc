import { expect, test } from 'bun:test'
import type { GitProvider } from '../../../src/api/linked-accounts.ts'
import { decideSource, movesRefs, readDelivery, refIn } from '../../../src/hooks/verify.ts'

const now = Date.UTC(2026, 10, 23)
const at = String(now / 1000)
const read = (provider: 'github' | 'gitlab' | 'bitbucket', headers: Record<string, string>) =>
  readDelivery(provider, new Headers(headers), now)

test('the headers of each provider', () => {
  const hex = 'a'.repeat(64)
  expect(
    read('github', { 'x-github-delivery': 'd', 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex}` }),
  ).toEqual({
    id: 'd',
    event: 'push',
    proof: { kind: 'hmac', hex },
  })
  expect(
    read('bitbucket', { 'x-request-uuid': 'u', 'x-event-key': 'repo:push', 'x-hub-signature': `sha256=${hex}` }),
  ).toEqual({
    id: 'u',
    event: 'repo:push',
    proof: { kind: 'hmac', hex },
  })
  expect(read('gitlab', { 'x-gitlab-event': 'Push Hook', 'x-gitlab-token': 't', 'x-gitlab-event-uuid': 'e' })).toEqual({
    id: 'e',
    event: 'Push Hook',
    proof: { kind: 'token', token: 't' },
  })
  const signed = { 'webhook-id': 'w', 'webhook-timestamp': at, 'webhook-signature': 'v1,AAA= v1a,BBB= v1,CCC=' }
  expect(read('gitlab', signed)).toEqual({
    id: 'w',
    event: 'unknown',
    proof: { kind: 'standard', prefix: `w.${at}.`, signatures: ['AAA=', 'CCC='] },
  })
})

test('the clock of a sender may be off by five minutes; half a signature is none', () => {
  const signed = { 'webhook-id': 'w', 'webhook-signature': 'v1,A' }
  const at = (offset: number) => read('gitlab', { ...signed, 'webhook-timestamp': String(now / 1000 + offset) }).proof
  expect([-301, -300, 300, 301].map((offset) => at(offset)?.kind ?? null)).toEqual([null, 'standard', 'standard', null])
  const token = { 'x-gitlab-token': 't' }
  expect([
    read('gitlab', { ...token, 'webhook-id': 'w' }).proof,
    read('gitlab', { ...token, 'webhook-signature': 'v1,A' }).proof,
  ]).toEqual([
    { kind: 'token', token: 't' },
    { kind: 'token', token: 't' },
  ])
})

test('what proves nothing has no proof', () => {
  const none = [
    read('github', {}),
    read('github', { 'x-hub-signature-256': 'sha256=zz' }),
    read('github', { 'x-hub-signature': `sha1=${'a'.repeat(40)}` }),
    read('gitlab', { 'webhook-id': 'w', 'webhook-signature': 'v1,A', 'webhook-timestamp': String(now / 1000 - 301) }),
    read('gitlab', { 'webhook-id': 'w', 'webhook-signature': 'v1,A' }),
  ]
  expect(none.map(({ proof }) => proof)).toEqual([null, null, null, null, null])
})

test('the ref is shown as far as it is one', () => {
  expect([
    refIn('{"ref":"refs/heads/main","x":1}'),
    refIn('{ "ref" : "refs/tags/v1" '),
    refIn('{"ref":"refs/pull/1"}'),
    refIn('{"ref":"refs/heads/a\\"b"}'),
    refIn(''),
  ]).toEqual(['refs/heads/main', 'refs/tags/v1', null, null, null])
})

test('what moves refs, by provider; an event without a name may', () => {
  const events = [
    'push',
    'create',
    'ping',
    'issues',
    'Push Hook',
    'Issue Hook',
    'repo:push',
    'pullrequest:created',
    'unknown',
  ]
  const heard = (provider: GitProvider) => events.filter((event) => movesRefs(provider, event))
  expect([heard('github'), heard('gitlab'), heard('bitbucket')]).toEqual([
    ['push', 'create', 'unknown'],
    ['Push Hook', 'unknown'],
    ['repo:push', 'unknown'],
  ])
})

test('which addresses are taken', () => {
  const decide = (parameters: Partial<Parameters<typeof decideSource>[0]>) =>
    decideSource({
      isEnforced: true,
      isStrict: false,
      entries: [],
      ranges: null,
      isInside: (networks) => networks.includes('mine'),
      ...parameters,
    })
  expect([
    decide({ isEnforced: false, ranges: ['other'] }),
    decide({ entries: ['mine'], ranges: ['other'] }),
    decide({ ranges: ['mine'] }),
    decide({ ranges: ['other'] }),
    decide({ entries: ['other'] }),
    decide({}),
    decide({ ranges: [] }),
    decide({ isStrict: true }),
    decide({ isStrict: true, entries: ['mine'] }),
  ]).toEqual(['allowed', 'allowed', 'allowed', 'blocked', 'warned', 'warned', 'warned', 'blocked', 'allowed'])
})
