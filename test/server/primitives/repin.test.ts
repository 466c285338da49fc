import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const types = '/v1/primitives/local'

const yaml = (version: string, refs: readonly string[]): string => `# as the author wrote it
openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
${refs
  .map(
    (ref, at) => `  /p${at}:
    get:
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                $ref: '${ref}' # used here
`,
  )
  .join('')}`

interface Repinned {
  readonly version: { readonly label: string; readonly status: string; readonly slug: string }
  readonly moved: readonly unknown[]
  readonly comparison: {
    readonly max_severity: string | null
    readonly total: number
    readonly changes: { id: string }[]
  }
}

onBothEngines('a draft with newer revisions', (makeDb) => {
  let it: PetsProject
  const revise = async (name: string, schema: unknown) =>
    expect((await it.send('POST', types, { namespace: 'shop', name, schema, replace: true })).status).toBe(200)
  const repin = async (version: string, body: unknown = {}) => {
    const answer = await it.send('POST', `/${version}/repin`, body)
    expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
    return answer.value as unknown as Repinned
  }
  const documentOf = async (version: string) => (await it.send('GET', `/${version}/document`)).text
  const publish = async (version: string, refs: readonly string[]) => {
    const created = await it.send('POST', '', yaml(version, refs), { 'content-type': 'application/yaml' })
    const published = await it.send('POST', `/${version}/publish`, { force: true, force_reason: 'a test' })
    expect([created.status, published.status]).toEqual([201, 200])
  }
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await revise('Amount', { type: 'integer' })
    await revise('Price', { type: 'object', properties: { amount: { $ref: 'svc:shop/Amount' } } })
    await revise('Other', { type: 'string' })
    await publish('1.0.0', ['svc:shop/Price', 'svc:shop/Other', 'svc:shop/Other@1#'])
    await revise('Amount', { type: 'string' })
    await revise('Other', { type: 'string', maxLength: 5 })
  })
  afterAll(() => it.service.stop())

  test('all types move; what the author wrote stays', async () => {
    const { version, moved, comparison } = await repin('1.0.0')
    expect([version.label, version.status]).toEqual(['1.0.1', 'draft'])
    expect(moved).toEqual([
      { ref: 'svc:shop/Other', from: 1, to: 2, direct: true },
      { ref: 'svc:shop/Amount', from: 1, to: 2, direct: false },
    ])
    expect([comparison.max_severity, comparison.changes.map(({ id }) => id)]).toEqual([
      'breaking',
      ['schema-type-changed', 'schema-max-length-added', 'schema-max-length-added', 'document-documentation-changed'],
    ])
    expect(await documentOf('1.0.1')).toBe(yaml('1.0.1', ['svc:shop/Price', 'svc:shop/Other', 'svc:shop/Other@2#']))
  })

  test('one type moves, and the others are kept', async () => {
    const { version, moved } = await repin('1.0.0', { primitives: ['shop/Amount'], label: 'next' })
    expect(moved).toEqual([{ ref: 'svc:shop/Amount', from: 1, to: 2, direct: false }])
    expect(version.label).toBe('next')
    expect(await documentOf('next')).toBe(yaml('next', ['svc:shop/Price', 'svc:shop/Other@1', 'svc:shop/Other@1#']))
    const back = await repin('next', { primitives: ['svc:shop/Other'], to: 2 })
    expect(back.version.label).toBe('next-2')
    expect(await documentOf('next-2')).toBe(yaml('next-2', ['svc:shop/Price', 'svc:shop/Other@2', 'svc:shop/Other@2#']))
  })

  test('what cannot be moved is refused', async () => {
    expect(await it.brief('POST', '/1.0.1/repin', {})).toBe('409 repin-nothing')
    expect(await it.brief('POST', '/1.0.0/repin', { primitives: ['shop/Nothing'] })).toBe('404 primitive-not-found')
    expect(await it.brief('POST', '/1.0.0/repin', { primitives: ['shop/Other'], to: 9 })).toBe(
      '404 primitive-revision-not-found',
    )
    expect(await it.brief('POST', '/1.0.0/repin', { to: 1 })).toBe('400 usage')
    expect(await it.brief('POST', '/1.0.0/repin', { label: '1.0.1' })).toBe('409 version-exists')
    expect(await it.brief('POST', '/nothing/repin', {})).toBe('404 version-not-found')
    expect(it.faults).toEqual([])
  })

  test('a comparison of versions sees what changed in their types', async () => {
    const changes = await it.send('GET', '/1.0.1/changes?base=1.0.0')
    const items = changes.value['items'] as { id: string; head: { pointer: string; source?: string } }[]
    expect(items.map(({ id, head }) => [id, head.source, head.pointer])).toEqual([
      ['schema-type-changed', 'svc:shop/Amount', '/type'],
      ['schema-max-length-added', 'svc:shop/Other', '/maxLength'],
      ['schema-max-length-added', 'svc:shop/Other@2', '/maxLength'],
      ['document-documentation-changed', undefined, '/info/version'],
    ])
    const readiness = await it.send('GET', '/1.0.1/publish-readiness')
    const gates = readiness.value['gates'] as { id: string; status: string }[]
    expect(gates.find(({ id }) => id === 'semver-consistent')?.status).toBe('warn')
  })
})
