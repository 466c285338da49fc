import { afterAll, beforeAll, expect, test } from 'bun:test'
import { asAgent } from '../../../mcp/agent-call.ts'
import { callTool } from '../../../mcp/call-tool.ts'
import { cursorSeal } from '../../../mcp/cursor-seal.ts'
import { tools } from '../../../mcp/tools.gen.ts'
import { checksApi } from '../../../src/api/checks.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import type { Call } from '../../../src/api/endpoint.ts'
import { importsApi, type ImportRequest } from '../../../src/api/imports.ts'
import { mcpKeysApi } from '../../../src/api/mcp-keys.ts'
import { SvcError } from '../../../src/errors.ts'
import type { Database } from '../../../db/database.ts'
import { editText } from '../../../src/document/edit-text.ts'
import { addMember, addTenant } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addPerson } from '../../fixtures/identity-service.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

const pets = (version: string, required: string) => `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses: { '204': { description: added } }
components:
  schemas:
    Pet: { type: object, ${required}properties: { name: { type: string } } }
`
const seal = cursorSeal('a secret of the test')
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof SvcError ? error.code : error),
  )

onBothEngines('questions about documents', (makeDb) => {
  let it: TestService
  let db: Database
  let outsider: Call
  let key: string

  const bring = async (call: Call, tenant: string, content: string, publish?: ImportRequest['publish']) => {
    const body = { source: { kind: 'inline' as const, name: 'a.yaml', content }, ...(publish && { publish }) }
    const job = await call(importsApi.create, { params: { tenant_slug: tenant }, body })
    const done = await call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 20 } })
    expect([done.status, done.error]).toEqual(['completed', null])
  }
  const use = async (name: string, args: object, call: Call) => {
    const answer = await callTool({
      tools,
      name,
      args,
      call: asAgent(call),
      seal,
      onFault: (fault) => {
        throw fault
      },
    })
    if ('isError' in answer) return JSON.parse(answer.content[0]?.text ?? '') as Record<string, unknown>
    return answer.structuredContent as Record<string, unknown>
  }

  beforeAll(async () => {
    db = await makeDb()
    it = await startService(db)
    const other = await addTenant(db, 'other', 'team')
    const person = await addPerson(db, 'oda')
    await addMember(db, other, person, 'owner')
    outsider = it.service.callAs(person)
    await bring(it.call, it.tenant, pets('1.0.0', ''), 'public')
    await bring(it.call, it.tenant, pets('1.1.0', 'required: [name], '))
    const made = await it.call(mcpKeysApi.create, { params: { tenant_slug: it.tenant }, body: { label: 'host' } })
    key = made.key ?? ''
  })
  afterAll(() => it.service.stop())

  test('a text is linted without credentials: the edits of each finding are exact, and a cursor goes on', async () => {
    const anyone = it.service.callWith(null)
    const text = pets('1.0.0', '').replace('{ type: string }', '{ type: string, enum: [cat, dog, cat] }')
    const seen: string[] = []
    let cursor: string | null | undefined
    let grade: unknown
    do {
      const page = await use('lint.check', { document: { text }, limit: 2, ...(cursor && { cursor }) }, anyone)
      const findings = page.findings as { code: string; fix?: { edits: Record<string, number | string>[] } }[]
      expect(findings.length).toBeLessThanOrEqual(2)
      for (const { code, fix } of findings) {
        seen.push(code)
        if (code !== 'duplicated-entry-in-enum') continue
        const edits = (fix?.edits ?? []).map((one) => ({
          start: { line: Number(one.line) - 1, character: Number(one.column) - 1 },
          end: { line: Number(one.end_line) - 1, character: Number(one.end_column) - 1 },
          text: String(one.text),
        }))
        expect(editText(text, edits)).toBe(text.replace('cat, dog, cat', 'cat, dog'))
      }
      expect(page.truncated).toBe(page.next_cursor !== null)
      cursor = page.next_cursor as string | null
      grade = page.grade
    } while (cursor)
    const whole = await anyone(checksApi.lint, { body: { document: { text }, limit: 200 } })
    expect(seen).toEqual(whole.findings.map(({ code }) => code))
    expect([grade, seen.length]).toEqual([whole.grade, whole.total])
    expect(seen).toContain('duplicated-entry-in-enum')
  })

  test('of a text that lists tools, the answer has their tokens: four bytes of JSON each', async () => {
    const listed = [{ name: 'find_pet', description: 'Finds a pet', inputSchema: { type: 'object' } }]
    const anyone = it.service.callWith(null)
    const page = await use('lint.check', { document: { text: JSON.stringify({ tools: listed }) } }, anyone)
    const tokens = Math.ceil(JSON.stringify(listed).length / 4)
    expect(page.tools).toEqual({ count: 1, tokens, saved_by_defs: 0 })
    const other = await use('lint.check', { document: { text: pets('1.0.0', '') } }, anyone)
    expect(Object.keys(other)).not.toContain('tools')
  })

  test('the guide for agents is applied by its name, for strangers and for members', async () => {
    const document = { text: pets('1.0.0', '') }
    for (const call of [it.service.callWith(null), it.call]) {
      const answer = await use('lint.check', { document, guide: 'svc:agents' }, call)
      const codes = (answer.findings as { code: string }[]).map(({ code }) => code)
      expect(answer.guide).toBe('svc:agents')
      expect(codes).toContain('operation-example')
      // One of the recommended guide, which agents do without.
      expect(codes).not.toContain('info-contact')
    }
  })

  test('two texts are compared: the verdict with a message that shows it', async () => {
    const args = { base: { text: pets('1.0.0', '') }, head: { text: pets('1.1.0', 'required: [name], ') } }
    const compared = await use('diff.compare', args, it.service.callWith(null))
    expect(compared).toMatchObject({
      verdict: 'breaking',
      breaking: 1,
      consumers: [],
      changes: [
        {
          classification: 'breaking',
          operation: 'POST /pets',
          path: '/components/schemas/Pet/required/0',
          witness: { value: {}, accepted_by: 'base' },
        },
        { severity: 'docs-only' },
      ],
      total: 2,
      truncated: false,
      next_cursor: null,
    })
    const back = await use('diff.compare', { base: args.head, head: args.base }, it.service.callWith(null))
    expect([back.verdict, back.breaking]).toEqual(['safe', 0])
  })

  test('members reach their drafts, keys of agent hosts and others do not', async () => {
    const args = { base: { spec: 'local/pets', version: '1.0.0' }, head: { spec: 'local/pets/1.1.0' } }
    expect((await use('diff.compare', args, it.call)).verdict).toBe('breaking')
    for (const call of [it.service.callWith(key), it.service.callWith(null), outsider])
      expect((await use('diff.compare', args, call)).code).toBe('spec-not-found')
    const own = { base: args.base, head: { text: pets('1.0.0', '') } }
    for (const call of [it.service.callWith(key), it.service.callWith(null), outsider])
      expect((await use('diff.compare', own, call)).verdict).toBe('safe')
    expect((await use('lint.check', { document: args.head }, it.call)).grade).toBeString()
    expect((await use('lint.check', { document: args.head }, outsider)).code).toBe('spec-not-found')
  })

  test('members learn which consumers a change breaks, everybody else does not', async () => {
    const params = { tenant_slug: it.tenant, project_ref: 'pets' }
    await it.call(consumersApi.create, { params, body: { name: 'Shop', handle: 'shop' } })
    const used = { operations: [{ method: 'POST', path: '/pets', request: ['name'] }] }
    await it.call(consumersApi.declare, { params: { ...params, consumer_ref: 'shop' }, body: used })
    const args = { base: { spec: 'local/pets' }, head: { text: pets('1.1.0', 'required: [name], ') } }
    const compared = await use('diff.compare', args, it.call)
    expect(compared.consumers).toEqual([{ handle: 'shop', name: 'Shop', status: 'broken' }])
    for (const call of [it.service.callWith(null), it.service.callWith(key), outsider])
      expect((await use('diff.compare', args, call)).consumers).toEqual([])
  })

  test('containment of schemas, given as they are, as a text, and by their names', async () => {
    const anyone = it.service.callWith(null)
    const ask = (a: unknown, b: unknown, dialect?: string) =>
      use('schema.contains', { a, b, ...(dialect && { dialect }) }, anyone)
    expect(await ask({ type: 'integer' }, { type: 'number' })).toEqual({ contains: true })
    expect(await ask(false, { type: 'string' })).toEqual({ contains: true })
    const wider = await ask({ type: 'number' }, { text: 'type: integer' })
    expect(wider.contains).toBe(false)
    expect(wider.reason).not.toMatch(/base|head/)
    expect(Number.isInteger(wider.counterexample)).toBe(false)
    // `const` came with draft-06: a draft before does not look at it.
    expect((await ask({}, { const: 1 })).contains).toBe(false)
    expect((await ask({}, { const: 1 }, 'draft-04')).contains).toBe(true)
    const pet = { spec: 'local/pets', version: '1.0.0', schema: 'Pet' }
    expect(await ask(pet, { type: 'object' })).toEqual({ contains: true })
    expect(await ask(pet, { type: 'object', required: ['name'] })).toMatchObject({
      contains: false,
      counterexample: {},
    })
    expect(await codeOf(anyone(checksApi.contains, { body: { a: { ...pet, schema: 'Dog' }, b: {} } }))).toBe(
      'class-not-found',
    )
    expect(await codeOf(anyone(checksApi.contains, { body: { a: { spec: 'local/pets' }, b: {} } }))).toBe('usage')
    expect(await codeOf(anyone(checksApi.contains, { body: { a: { text: pets('1.0.0', '') }, b: {} } }))).toBe('usage')
    expect(await codeOf(anyone(checksApi.contains, { body: { a: { text: '{' }, b: {} } }))).toBe('document-invalid')
  })

  test('rules, errors and changes are explained', async () => {
    const anyone = it.service.callWith(null)
    for (const [id, kind] of [
      ['operation-tags', 'lint-rule'],
      ['project-not-found', 'error'],
      ['parameter-required-added', 'change-rule'],
    ] as const) {
      const { text, ...rest } = await use('explain', { id }, anyone)
      expect(rest).toEqual({ id, kind })
      expect(text).toStartWith(`${id}: `)
    }
    expect((await use('explain', { id: 'operation-tag' }, anyone)).message).toContain('operation-tags')
  })

  test('what cannot be asked is refused with what to do', async () => {
    const anyone = it.service.callWith(null)
    const lint = (document: object, more: object = {}) =>
      codeOf(anyone(checksApi.lint, { body: { document, ...more } }))
    expect(await lint({})).toBe('usage')
    expect(await lint({ text: 'a: 1', spec: 'local/pets' })).toBe('usage')
    expect(await lint({ text: 'a: 1', version: '1.0.0' })).toBe('usage')
    for (const text of ['hello', 'a: 1', '[]', 'asyncapi: 3.0.0']) expect(await lint({ text })).toBe('format-unknown')
    expect(await lint({ text: `a: ${'x'.repeat(10_000_000)}` })).toBe('body-too-large')
    expect(await lint({ text: 'a: 1' }, { guide: 'nothing' })).toBe('style-guide-not-found')
    expect(await lint({ text: pets('1.0.0', '') }, { guide: 'spectral:oas' })).toBeNull()
    const other = { base: { text: pets('1.0.0', '') }, head: { text: 'a: [' } }
    expect(await codeOf(anyone(checksApi.diff, { body: other }))).toBe('document-invalid')
  })

  test('a key without a tool learns nothing of it, by either way', async () => {
    const params = { tenant_slug: it.tenant }
    const { ceiling } = await it.call(mcpKeysApi.capabilities, { params })
    expect(ceiling).toContain('lint.check')
    const less = ceiling.filter((tool) => tool !== 'lint.check')
    await it.call(mcpKeysApi.setTenantCapabilities, { params, body: { ceiling: less, defaults: less } })
    const call = it.service.callWith(key)
    expect(await codeOf(call(checksApi.lint, { body: { document: { spec: 'no/such' } } }))).toBe('capability_disabled')
    expect((await use('explain', { id: 'operation-tags' }, call)).kind).toBe('lint-rule')
    await it.call(mcpKeysApi.setTenantCapabilities, { params, body: { ceiling, defaults: ceiling } })
  })
})
