import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CompatibilityCheck, Evidence } from '../../../src/api/compatibility.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import { diffToolCommand } from '../../../server/compatibility/diff-tool.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const place = '/v1/versions/local/pets'

const pets = (version: string, parts: { name?: object; deprecated?: boolean; age?: boolean } = {}) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pets', version },
    paths: {
      '/pets': {
        get: {
          ...(parts.deprecated ? { deprecated: true } : {}),
          responses: {
            '200': {
              description: 'Pets',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          required: ['name'],
          properties: { name: parts.name ?? { type: 'string' }, ...(parts.age ? { age: { type: 'integer' } } : {}) },
        },
      },
    },
  })

/** What a tool like oasdiff writes: an error where ours is one too, and a warning of its own. */
const said = [
  { id: 'response-property-type-changed', text: 'type changed', level: 3, operation: 'GET', path: '/pets' },
  { id: 'api-security-changed', text: 'security changed', level: 2, operation: 'DELETE', path: '/pets/{id}' },
]

onBothEngines('compatibility', (makeDb) => {
  let it: PetsProject
  let folder: string
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    it.send(method, place + path, body, headers)
  const check = async (base: string, head: string, more: object = {}, query = ''): Promise<CompatibilityCheck> => {
    const body = { baseRevisionId: base, headRevisionId: head, ...more }
    const { status, value } = await ask('POST', `/compatibility${query}`, body)
    expect([status, value.detail]).toEqual([200, undefined])
    return value as unknown as CompatibilityCheck
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-tool-'))
    const tool = join(folder, 'oasdiff')
    writeFileSync(
      tool,
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "oasdiff version 1.11.8"; exit 0; fi\ntest -f "$2" && test -f "$3" || exit 9\ncat <<'END'\n${JSON.stringify(said)}\nEND\nexit 1\n`,
    )
    chmodSync(tool, 0o755)
    it = await openPetsProject(await makeDb(), {
      compatibility: {
        diffTool: diffToolCommand(tool),
        issueUrl: 'https://issues.example/new?title={project}%20{base}-{head}&key={fingerprint}',
      },
    })
    const publish = async (label: string, content: string) => {
      await it.send('POST', '', { content })
      expect((await it.send('POST', `/${label}/publish`)).status).toBe(200)
    }
    await publish('1.0.0', pets('1.0.0', { age: true }))
    await publish('1.1.0', pets('1.1.0'))
    await it.send('POST', '', { content: pets('1.2.0', { deprecated: true }) })
    await it.send('POST', '', { content: pets('2.0.0', { name: { type: 'integer' } }) })
  })
  afterAll(async () => {
    await it.service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a safe pair and a breaking one', async () => {
    const safe = await check('1.1.0', '1.2.0')
    expect(safe).toMatchObject({
      overall: 'safe',
      tenantCompatGateActive: false,
      mergeBlockedByCompatGate: false,
      breakingChangeDocumentationIssueUrl: null,
      deprecatedRevisionBlocked: false,
      comparedWith: [{ label: '1.1.0', overall: 'safe' }],
    })
    expect(safe.deprecationWarnings.map((one) => [one.code, one.operation])).toEqual([
      ['deprecation-added', 'GET /pets'],
    ])
    expect(safe.ruleHits).toMatchObject({ 'operation-deprecated-added': 1 })
    const breaking = await check('1.1.0', '2.0.0')
    expect([breaking.overall, breaking.findings[0]?.ruleId, breaking.findings[0]?.classification]).toEqual([
      'breaking',
      'schema-type-changed',
      'breaking',
    ])
    expect(breaking.breakingChangeDocumentationIssueUrl).toBe(
      `https://issues.example/new?title=pets%201.1.0-2.0.0&key=${encodeURIComponent(breaking.reportFingerprint)}`,
    )
    expect(breaking.reportFingerprint).toBe((await check('1.1.0', '2.0.0')).reportFingerprint)
    expect(breaking.reportFingerprint).not.toBe(safe.reportFingerprint)
  })

  test('where a break is written up is a web address, whatever is filled in', async () => {
    const ask1 = (url: string) =>
      ask('POST', '/compatibility', {
        baseRevisionId: '1.1.0',
        headRevisionId: '2.0.0',
        policy: { breakingChangeDocumentationIssueUrl: url },
      })
    const good = await ask1('https://wiki.example/{project}/{base}..{head}?q={nothing}')
    expect(good.value.breakingChangeDocumentationIssueUrl).toBe('https://wiki.example/pets/1.1.0..2.0.0?q={nothing}')
    for (const url of ['javascript:alert(1)//{project}', 'https://{project}/x', '//evil.example', 'data:text/html,x'])
      expect([url, (await ask1(url)).status]).toEqual([url, 422])
  })

  test('rules and policy of the request change the verdict, and unknown ones are refused', async () => {
    const lowered = await check('1.1.0', '2.0.0', { rules: { 'schema-type-changed': 'non-breaking' }, policy: null })
    expect([lowered.overall, lowered.ruleHits['schema-type-changed']]).toEqual(['safe', 1])
    const raised = await check('1.1.0', '1.2.0', { rules: { 'operation-deprecated-added': 'breaking' } })
    expect([raised.overall, raised.findings.map((one) => [one.ruleId, one.severity, one.classification])]).toEqual([
      'breaking',
      [
        ['operation-deprecated-added', 'breaking', 'breaking'],
        ['document-documentation-changed', 'docs-only', 'safe'],
      ],
    ])
    const ignored = await check('1.1.0', '2.0.0', { rules: { 'schema-type-changed': 'ignore' } })
    expect([ignored.overall, ignored.ruleHits['schema-type-changed']]).toEqual(['safe', undefined])
    expect((await check('1.0.0', '1.1.0')).overall).toBe('safe')
    expect((await check('1.0.0', '1.1.0', { policy: { profile: 'strict' } })).overall).toBe('breaking')
    const body = { baseRevisionId: '1.0.0', headRevisionId: '1.1.0' }
    const unknown = await ask('POST', '/compatibility', { ...body, rules: { 'no-such-rule': 'breaking' } })
    expect([unknown.status, unknown.value.detail?.code]).toEqual([400, 'rule-unknown'])
    expect((await ask('POST', '/compatibility', { ...body, policy: { mode: 'x' } })).status).toBe(422)
    expect((await ask('POST', '/compatibility', { ...body, headRevisionId: '9' })).value.detail?.code).toBe(
      'version-not-found',
    )
  })

  test('against=all-published asks for every published revision', async () => {
    const { comparedWith, overall, findings } = await check(
      '1.1.0',
      '1.2.0',
      { policy: { profile: 'strict' } },
      '?against=all-published',
    )
    expect([overall, comparedWith.map((one) => `${one.label} ${one.overall}`)]).toEqual([
      'breaking',
      ['1.1.0 safe', '1.0.0 breaking'],
    ])
    expect(new Set(findings.map((one) => one.baseRevisionId)).size).toBe(2)
  })

  test('the gate of the tenant blocks what is not proven safe', async () => {
    const params = { tenant_slug: 'local' }
    const guide = await it.call(styleGuidesApi.create, { params, body: { name: 'Strict' } })
    const one = { ...params, guide_id: guide.id }
    await it.call(styleGuidesApi.putPolicy, { params: one, body: { policyGates: { compat: 'block' } } })
    await it.call(styleGuidesApi.makeDefault, { params: one })
    expect(await check('1.1.0', '2.0.0')).toMatchObject({
      tenantCompatGateActive: true,
      mergeBlockedByCompatGate: true,
    })
    expect(await check('1.1.0', '1.2.0')).toMatchObject({
      tenantCompatGateActive: true,
      mergeBlockedByCompatGate: false,
    })
    await it.call(styleGuidesApi.remove, { params: one })
  })

  test('deprecated and retired revisions are warned of, and block where nobody may build on them', async () => {
    await it.send('POST', '/1.0.0/deprecate', { sunset_at: '2020-01-01T00:00:00Z' })
    const past = await check('1.0.0', '1.1.0')
    expect([past.deprecationWarnings[0]?.code, past.deprecatedRevisionBlocked]).toEqual(['revision-sunset', true])
    await it.send('POST', '/1.0.0/retire')
    const retired = await check('1.0.0', '1.1.0')
    expect([retired.deprecationWarnings[0]?.code, retired.deprecatedRevisionBlocked]).toEqual([
      'revision-retired',
      true,
    ])
  })

  test('evidence records both verdicts and where they differ, and stays on the head', async () => {
    const body = { baseRevisionId: '1.1.0', headRevisionId: '2.0.0' }
    const { status, value } = await ask('POST', '/compatibility/evidence', body)
    const evidence = value as unknown as Evidence
    expect(status).toBe(200)
    expect(evidence.tools).toMatchObject([
      { name: 'svc', status: 'ran', overall: 'breaking' },
      { name: 'oasdiff', version: '1.11.8', status: 'ran', overall: 'breaking', findings: 2, message: null },
    ])
    expect([evidence.agreement, evidence.differences]).toEqual([
      'differ',
      [
        {
          operation: 'DELETE /pets/{id}',
          ours: 'safe',
          theirs: 'unknown',
          ourRules: [],
          theirRules: ['api-security-changed'],
        },
      ],
    ])
    expect([evidence.baseLabel, evidence.headLabel, evidence.overall]).toEqual(['pets@1.1.0', 'pets@2.0.0', 'breaking'])
    const list = await ask('GET', '/2.0.0/compatibility/evidence')
    const { findings: _, externalFindings: __, ...run } = evidence
    expect(list.value).toEqual({ items: [run], total: 1, limit: 50, offset: 0 } as never)
    const none = await ask('GET', '/1.2.0/compatibility/evidence?format=sarif')
    expect([none.status, none.value.detail?.code]).toEqual([404, 'evidence-not-found'])
    expect((await ask('GET', '/1.2.0/compatibility/evidence')).value).toMatchObject({ items: [], total: 0 })
  })

  test('SARIF and JUnit by format or by Accept', async () => {
    const body = { baseRevisionId: '1.1.0', headRevisionId: '2.0.0' }
    const sarif = await ask('POST', '/compatibility/evidence?format=sarif', body)
    expect(sarif.headers.get('content-type')).toBe('application/sarif+json; charset=utf-8')
    const runs = sarif.value.runs as { tool: { driver: { name: string } }; results: unknown[] }[]
    expect(runs.map((run) => [run.tool.driver.name, run.results.length])).toEqual([
      ['svc', 2],
      ['oasdiff', 2],
    ])
    const junit = await ask('GET', '/2.0.0/compatibility/evidence', undefined, { accept: 'application/xml' })
    expect(junit.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect(junit.text.match(/<testsuite name="[^"]*"/g)).toEqual([
      '<testsuite name="GET /pets"',
      '<testsuite name="The whole document"',
      '<testsuite name="oasdiff"',
    ])
    const accepted = await ask('GET', '/2.0.0/compatibility/evidence', undefined, { accept: 'application/sarif+json' })
    expect(accepted.value.runs).toHaveLength(2)
    const json = await ask('GET', '/2.0.0/compatibility/evidence?format=json', undefined, { accept: 'application/xml' })
    expect(json.value.total).toBe(2)
  })
})
