import { afterAll, beforeAll, expect, test } from 'bun:test'
import { diffApi } from '../../../src/api/diff.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { SvcError } from '../../../src/errors.ts'
import { asLocalOwner } from '../../../server/auth/local-owner.ts'
import { sampleSlug, seedSample } from '../../../server/sample/seed.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

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
      { breaking: 5, 'non-breaking': 4, 'docs-only': 1 },
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

  test('pages: all changes once, in their order, with what is said of the whole on each', async () => {
    const paths = (from: number): string =>
      JSON.stringify(
        Object.fromEntries(
          Array.from({ length: 900 }, (_, index) => [
            `/things-with-a-long-name-${from + index}/{identifier}`,
            { get: { summary: `Thing ${from + index}`, responses: { 200: { description: 'Found' } } } },
          ]),
        ),
      )
    await it.call(projectsApi.create, { params, body: { name: 'Wide', slug: 'wide' } })
    for (const [label, from] of [
      ['1.0.0', 0],
      ['2.0.0', 450],
    ] as const)
      await it.call(versionsApi.create, {
        params: { ...params, project_ref: 'wide' },
        body: { label, content: `openapi: 3.1.0\ninfo: { title: Wide, version: ${label} }\npaths: ${paths(from)}\n` },
      })
    const sides = { base: { project: 'wide', version: '1.0.0' }, head: { project: 'wide', version: '2.0.0' } }
    const { changes, counts, base, head } = await it.call(diffApi.classified, { params, body: sides })
    const query = { base_project: 'wide', base_version: '1.0.0', head_project: 'wide', head_version: '2.0.0' }
    const first = await it.call(diffApi.pages, { params, query: { ...query, consumers: true } })
    const others = await Promise.all(
      Array.from({ length: first.pages - 1 }, (_, index) =>
        it.call(diffApi.pages, { params, query: { ...query, consumers: true, page: index + 1 } }),
      ),
    )
    const all = [first, ...others]
    expect(first.pages).toBeGreaterThan(1)
    expect(all.map((one) => one.page)).toEqual(all.map((_, index) => index))
    for (const one of all) {
      expect([one.pages, one.total, one.counts, one.base, one.head]).toEqual([
        all.length,
        changes.length,
        counts,
        base,
        head,
      ])
      expect(JSON.stringify(one).length).toBeLessThan(410_000)
    }
    expect(all.flatMap((one) => one.changes)).toEqual(changes)
    expect(all.map(({ consumers }) => consumers)).toEqual([
      { counts: { broken: 0, unknown: 0, touched: 0, unaffected: 0 }, consumers: [] },
      ...others.map(() => undefined),
    ])
    expect(
      await it.call(diffApi.pages, { params, query: { ...query, page: all.length } }).catch((error) => error),
    ).toEqual(
      new SvcError('usage', {
        reason: `the comparison has no page ${all.length}: the first is 0, there are ${all.length}`,
      }),
    )
  })

  test('a page leaves out values that would fill it, and names the change', async () => {
    const text = (version: string, sign: string): string =>
      `openapi: 3.1.0\ninfo: { title: Long, version: ${version}, description: ${sign.repeat(100_001)} }\npaths: {}\n`
    await it.call(projectsApi.create, { params, body: { name: 'Long', slug: 'long' } })
    for (const [label, sign] of [
      ['1.0.0', 'a'],
      ['2.0.0', 'b'],
    ] as const)
      await it.call(versionsApi.create, {
        params: { ...params, project_ref: 'long' },
        body: { label, content: text(label, sign) },
      })
    const sides = { base: { project: 'long', version: '1.0.0' }, head: { project: 'long', version: '2.0.0' } }
    const { changes } = await it.call(diffApi.classified, { params, body: sides })
    const query = { base_project: 'long', base_version: '1.0.0', head_project: 'long', head_version: '2.0.0' }
    const { changes: shown, omitted, pages } = await it.call(diffApi.pages, { params, query })
    const long = changes.filter((one) => JSON.stringify(one).length > 100_000)
    expect(long.length).toBe(1)
    expect({ omitted, pages }).toEqual({ omitted: long.map((one) => one.fingerprint), pages: 1 })
    expect(shown).toEqual(changes.map((one) => (long.includes(one) ? { ...one, before: null, after: null } : one)))
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

  const refusal = async (body: unknown): Promise<unknown> => {
    const answer = await it.ask('/v1/diff/local/classified', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { detail } = (await answer.json()) as { detail?: { code?: string; reason?: string; rule?: string } }
    return answer.ok ? answer.status : [answer.status, detail?.code, detail?.reason ?? detail?.rule]
  }

  test('consumers, accepted changes and a scope are answered where they were asked for', async () => {
    const keys = async (more: object) =>
      Object.keys(
        await it.call(diffApi.classified, {
          params,
          body: { base: stored('1.0.0'), head: stored('2.0.0'), ...more },
        }),
      )
    const always = ['changes', 'counts', 'maxSeverity', 'base', 'head']
    expect(await keys({})).toEqual(always)
    expect(await keys({ consumers: false })).toEqual(always)
    expect(await keys({ consumers: true })).toEqual([...always, 'consumers'])
    expect(await keys({ rules: { ignore: [] }, scope: { tags: [] } })).toEqual([...always, 'ignored'])
    expect(await keys({ scope: { paths: ['/books'] } })).toEqual([...always, 'scope'])
  })

  test('the rules of a request classify, and a scope counts what it leaves out', async () => {
    const ask = (more: object) =>
      it.call(diffApi.classified, { params, body: { base: stored('1.0.0'), head: stored('2.0.0'), ...more } })
    const removed = { match: 'operation-removed', reason: 'agreed', until: '2026-12-31' }
    const accepted = await ask({ rules: { ignore: [removed], asOf: '2026-11-30' } })
    expect([accepted.counts.breaking, accepted.ignored?.map((one) => [one.change.id, one.reason])]).toEqual([
      4,
      [['operation-removed', 'agreed']],
    ])
    expect((await ask({ rules: { ignore: [removed], asOf: '2027-01-01' } })).counts.breaking).toBe(5)
    expect((await ask({ rules: { severity: { 'operation-removed': 'docs-only' } } })).counts).toEqual({
      breaking: 4,
      'non-breaking': 4,
      'docs-only': 2,
    })
    const narrow = await ask({ scope: { operations: ['GET /books'] } })
    expect([narrow.counts.breaking, narrow.scope?.operations, narrow.scope?.selected]).toEqual([2, ['GET /books'], 1])
    expect(narrow.scope?.leftOut.counts.breaking).toBe(3)
    expect([narrow.base.document_version, narrow.head.document_version]).toEqual(['1.0.0', '2.0.0'])
  })

  test('what is no API description, no day, no rule and no operation is refused', async () => {
    const head = stored('2.0.0')
    const base = stored('1.0.0')
    const other = 'is not an API description (OpenAPI, Swagger, Arazzo, MCP) or a JSON Schema'
    expect([
      await refusal({ base, head: { inline: 'hello', name: 'a.txt' } }),
      await refusal({ base, head: { inline: 'opnapi: 3.0.0\npaths: {}', name: 'a.yaml' } }),
      await refusal({ base, head: { inline: 'openapi: 3.1.0\npaths: {}\n---\nopenapi: 3.1.0', name: 'a.yaml' } }),
      await refusal({ base, head, rules: { asOf: '2026-02-31' } }),
      await refusal({ base, head, rules: { ignore: [{ match: 'x', reason: 'y', until: 'soon' }] } }),
      await refusal({ base, head, rules: { severity: { 'operation-removd': 'breaking' } } }),
      await refusal({ base, head, rules: { mode: 'full' } }),
      await refusal({ base, head, scope: { paths: ['/book'] } }),
    ]).toEqual([
      [422, 'document-invalid', `a.txt ${other}`],
      [422, 'document-invalid', `a.yaml ${other}; did you mean "openapi" instead of "opnapi"?`],
      [
        422,
        'document-invalid',
        'a.yaml holds several YAML documents; compare them one by one, each in a file of its own',
      ],
      [400, 'usage', '"asOf" must be a calendar date such as 2026-01-31, but is "2026-02-31"'],
      [400, 'usage', '"until" must be a calendar date such as 2026-01-31, but is "soon"'],
      [400, 'rule-unknown', 'operation-removd'],
      [400, 'usage', expect.stringContaining('The mode "full" is for JSON Schemas') as string],
      [400, 'usage', 'No operation of either document has the path "/book"'],
    ])
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
      'gateway-impact skipped',
      'threads-resolved pass',
      'approval skipped',
    ])
  })
})
