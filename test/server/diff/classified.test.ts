import { afterAll, beforeAll, expect, test } from 'bun:test'
import { diffApi } from '../../../src/api/diff.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { SvcError } from '../../../src/errors.ts'
import { asLocalOwner } from '../../../server/auth/local-owner.ts'
import { sampleSlug, seedSample } from '../../../server/sample/seed.ts'
import { onBothEngines } from '../../engines.ts'
import { startService, type TestService } from '../service.ts'

onBothEngines('the classified diff', (makeDb) => {
  let it: TestService
  beforeAll(async () => {
    it = await startService(await makeDb())
  })
  afterAll(() => it.service.stop())

  const stored = (version: string) => ({ project: sampleSlug, version })
  const params = { tenant_slug: 'local' }

  test('the sample project is seeded once, with a breaking change between its versions', async () => {
    expect(typeof (await seedSample(it.call, it.tenant))).toBe('string')
    expect(await seedSample(it.call, it.tenant)).toBe(null)
    const { items } = await it.call(versionsApi.list, { params: { ...params, project_ref: sampleSlug } })
    expect(items.map(({ label, status, visibility, grade }) => [label, status, visibility, grade])).toEqual([
      ['2.0.0', 'published', 'public', 'A'],
      ['1.0.0', 'published', 'public', 'A'],
    ])
    const answer = await it.call(diffApi.classified, {
      params,
      body: { base: stored('1.0.0'), head: stored('latest') },
    })
    const { changes, counts, maxSeverity, base, head } = answer
    expect([counts, maxSeverity, base.label, head.label]).toEqual([
      { breaking: 4, 'non-breaking': 5, 'docs-only': 1 },
      'breaking',
      'bookshop@1.0.0',
      'bookshop@2.0.0',
    ])
    expect(
      changes
        .filter((change) => change.severity === 'breaking')
        .flatMap((change) => change.operations)
        .toSorted(),
    ).toEqual(['DELETE /orders/{orderId}', 'GET /books', 'GET /orders/{orderId}', 'POST /orders', 'POST /orders'])
  })

  test('markdown where Accept asks for it; an inline head', async () => {
    const ask = (body: unknown, accept: string) =>
      it.service.handle(
        asLocalOwner(
          new Request('http://localhost/v1/diff/local/classified', {
            method: 'POST',
            headers: { accept, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
          it.ownerId,
        ),
      )
    const markdown = await ask({ base: stored('1.0.0'), head: stored('2.0.0') }, 'text/markdown')
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toContain('DELETE /orders/{orderId}')
    const pair = { base: stored('1.0.0'), head: stored('2.0.0') }
    for (const [accept, type, words] of [
      ['text/html', 'text/html; charset=utf-8', '<!doctype html>'],
      ['application/sarif+json', 'application/sarif+json', '"version": "2.1.0"'],
      ['application/xml', 'application/xml', '<testsuites'],
      ['application/json, text/html', 'application/json', '{"changes":['],
    ] as const) {
      const report = await ask(pair, accept)
      expect([report.headers.get('content-type'), (await report.text()).includes(words)]).toEqual([type, true])
    }
    const same = await it.get('/v1/schema/local/bookshop/1.0.0')
    const inline = await ask({ base: stored('1.0.0'), head: { inline: await same.text() } }, 'application/json')
    expect(((await inline.json()) as { counts: unknown }).counts).toEqual({
      breaking: 0,
      'non-breaking': 0,
      'docs-only': 0,
    })
    const large = await ask({ base: stored('1.0.0'), head: { inline: 'x'.repeat(10_000_001) } }, 'application/json')
    expect([large.status, ((await large.json()) as { detail: { code: string } }).detail.code]).toEqual([
      413,
      'body-too-large',
    ])
    const unknown = await ask({ base: stored('1.0.0'), head: stored('2.0.0'), heads: 1 }, 'application/json')
    expect(unknown.status).toBe(422)
  })

  test('a rule is explained by its id', async () => {
    const rule = await it.call(diffApi.rule, { params: { ...params, rule_id: 'operation-removed' } })
    expect([rule.id, rule.opposite, rule.concerns, rule.explanation !== '']).toEqual([
      'operation-removed',
      'operation-added',
      'the document as a whole',
      true,
    ])
    const error = await it
      .call(diffApi.rule, { params: { ...params, rule_id: 'no-such-rule' } })
      .catch((thrown: unknown) => thrown)
    expect(error instanceof SvcError ? error.code : error).toBe('change-rule-not-found')
  })

  test('the limit of an inline head counts bytes of UTF-8, and is itself within', async () => {
    const text = await (await it.get('/v1/schema/local/bookshop/1.0.0')).text()
    const room = 10_000_000 - new TextEncoder().encode(text).byteLength
    const statusOf = async (inline: string): Promise<number> => {
      const body = JSON.stringify({ base: stored('1.0.0'), head: { inline } })
      const headers = { 'content-type': 'application/json' }
      return (await it.ask('/v1/diff/local/classified', { method: 'POST', headers, body })).status
    }
    expect(await statusOf(text + ' '.repeat(room))).toBe(200)
    expect(await statusOf(text + ' '.repeat(room + 1))).toBe(413)
    expect(await statusOf(`"${'日'.repeat(3_400_000)}"`)).toBe(413)
    expect(await statusOf('')).toBe(422)
  })

  test('a version that is not there is named', async () => {
    const error = await it
      .call(diffApi.classified, { params, body: { base: stored('9.9.9'), head: stored('2.0.0') } })
      .catch((thrown: unknown) => thrown)
    expect(error instanceof SvcError ? [error.code, error.detail] : error).toEqual([
      'version-not-found',
      { version: '9.9.9', project: 'bookshop' },
    ])
  })

  test('the gates of the second version warned and did not stop', async () => {
    const readiness = await it.call(versionsApi.readiness, {
      params: { ...params, project_ref: sampleSlug, version_ref: '2.0.0' },
    })
    expect(readiness.gates.map(({ id, status }) => `${id} ${status}`)).toEqual([
      'document-valid pass',
      'unresolved-refs pass',
      'lint-grade pass',
      'lint-findings pass',
      'breaking-guardrail warn',
      'semver-consistent pass',
      'compat warn',
      'consumer-impact skipped',
      'approval skipped',
    ])
  })
})
