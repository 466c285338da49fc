/** Questions about a document that is being edited: the stored text with edits, of which nothing is stored. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { consumersApi } from '../../../src/api/consumers.ts'
import { editsApi } from '../../../src/api/edits.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { editText, type TextEdit } from '../../../src/document/edit-text.ts'
import { outcome } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const yaml = `openapi: 3.1.0
info: { title: Pets, version: 1.1.0 } # as the author wrote it
paths:
  /pets:
    get:
      operationId: listPets
      summary: List pets
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
      responses:
        '200': { description: Pets }
`
const params = { tenant_slug: 'local', project_ref: 'pets', version_ref: '1.1.0' }
const at = (line: number, character = 0) => ({ line, character })
const whole = (text: string): TextEdit => ({ start: at(0), end: at(yaml.split('\n').length - 1), text })

onBothEngines('edits of a draft', (makeDb) => {
  let it: PetsProject
  let digest: string
  const save = async (text: string, version = '1.1.0') => {
    const etag = (await it.send('GET', `/${version}/document`)).headers.get('etag') ?? ''
    const headers = { 'if-match': etag, 'content-type': 'application/yaml' }
    expect((await it.send('PUT', `/${version}/document`, text, headers)).status).toBe(200)
  }
  const stored = async () => (await it.call(versionsApi.get, { params })).digest
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    const project = { tenant_slug: 'local', project_ref: 'pets' }
    await it.call(versionsApi.create, { params: project, body: { label: '1.0.0', content: yaml } })
    await it.call(versionsApi.publish, {
      params: { ...params, version_ref: '1.0.0' },
      body: { force: true, force_reason: 'a base' },
    })
    await it.call(versionsApi.create, { params: project, body: { label: '1.1.0', content: yaml } })
    digest = await stored()
  })
  afterAll(() => it.service.stop())

  test('findings and grade are those of the edited text, at its lines', async () => {
    const before = await it.call(editsApi.check, { params, body: { digest, edits: [] } })
    const edits = [{ start: at(6), end: at(7), text: '\n' }]
    const after = await it.call(editsApi.check, { params, body: { digest, edits } })
    const codes = (found: typeof before) => new Set(found.findings.map(({ code }) => code))
    expect([...codes(after)].filter((code) => !codes(before).has(code))).toEqual(['operation-summary'])
    expect(after.findings.find(({ code }) => code === 'operation-summary')?.range.start).toEqual(at(4, 8))
    expect((after.grade.score ?? 0) < (before.grade.score ?? 0)).toBe(true)
    expect([after.current, after.total]).toEqual([digest, after.findings.length])
    const broken = await it.call(editsApi.check, { params, body: { digest, edits: [whole('openapi: [')] } })
    expect(broken.findings.map(({ code }) => code)).toContain('parser')
    expect(await stored()).toBe(digest)
  })

  test('changes are those against the version before', async () => {
    const edits = [{ start: at(7), end: at(9), text: '' }]
    const found = await it.call(editsApi.changes, { params, body: { digest, edits } })
    expect(found.base?.label).toBe('1.0.0')
    expect(found.changes.map(({ id, severity, base_line }) => [id, severity, base_line])).toEqual([
      ['parameter-removed', 'breaking', 8],
    ])
    expect([found.counts.breaking, found.total]).toEqual([1, 1])
    expect(found.consumers).toEqual({ broken: [], broken_total: 0, total: 0 })
  })

  test('an edit says whom it would break', async () => {
    const project = { tenant_slug: 'local', project_ref: 'pets' }
    const declare = async (name: string, used: object) => {
      const { handle } = await it.call(consumersApi.create, { params: project, body: { name } })
      await it.call(consumersApi.declare, {
        params: { ...project, consumer_ref: handle },
        query: { version: '1.0.0' },
        body: { operations: [{ method: 'GET', path: '/pets', ...used }] },
      })
    }
    await declare('Mobile app', { parameters: ['limit'] })
    await declare('Batch', {})
    const edits = [{ start: at(7), end: at(9), text: '' }]
    const changes = (call = it.call) => call(editsApi.changes, { params, body: { digest, edits } })
    expect((await changes()).consumers).toEqual({ broken: ['Mobile app'], broken_total: 1, total: 2 })
    const { consumers } = await it.call(editsApi.changes, { params, body: { digest, edits: [] } })
    expect(consumers).toEqual({ broken: [], broken_total: 0, total: 2 })
  })

  test('the outline has the named parts with their lines', async () => {
    const edits = [{ start: at(3), end: at(3), text: '  /cats: {}\n' }]
    const { items, total } = await it.call(editsApi.outline, { params, body: { digest, edits } })
    expect(items.map(({ name, depth, line }) => [name, depth, line])).toEqual([
      ['info', 0, 1],
      ['paths', 0, 2],
      ['/cats', 1, 3],
      ['/pets', 1, 4],
      ['GET /pets', 2, 5],
    ])
    expect(total).toBe(5)
  })

  test('what can be written is what the format allows there', async () => {
    const edits = [{ start: at(7), end: at(7), text: '      dep\n' }]
    const found = await it.call(editsApi.complete, { params, body: { digest, edits, position: at(7, 9) } })
    expect(found.proposals.map(({ label }) => label)).toContain('deprecated')
    expect(found.proposals.map(({ label }) => label)).not.toContain('summary')
    expect([found.start, found.end]).toEqual([at(7, 6), at(7, 9)])
  })

  test('a fix is edits of the edited text; one that clients see is made where it is asked for', async () => {
    const edits = [
      { start: at(1), end: at(1), text: 'servers: [{ url: "https://pets.example/" }]\n' },
      { start: at(7), end: at(7), text: '      tags: [animals]\n' },
    ]
    const { findings } = await it.call(editsApi.check, { params, body: { digest, edits } })
    const fixable = findings.flatMap(({ code, fix, fingerprint }) => (fix === null ? [] : [{ code, fix, fingerprint }]))
    expect(fixable.map(({ code, fix }) => [code, fix.visible])).toEqual([
      ['oas3-server-trailing-slash', null],
      ['operation-tag-defined', 'non-breaking'],
    ])
    const textAfter = async (asked: object) => {
      const { edits: made, fixed } = await it.call(editsApi.fix, { params, body: { digest, edits, ...asked } })
      return [editText(editText(yaml, edits), made), fixed]
    }
    const edited = editText(yaml, edits)
    const slash = edited.replace('example/"', 'example"')
    expect(await textAfter({})).toEqual([slash, 1])
    expect(await textAfter({ fingerprint: fixable[1]?.fingerprint })).toEqual([edited, 0])
    expect(await textAfter({ visible: ['non-breaking'] })).toEqual([`${slash}tags:\n  - name: animals\n`, 2])
  })

  test('edits are an overlay for those who do not own the document', async () => {
    const edits = [{ start: at(1), end: at(1), text: 'servers: [{ url: "https://pets.example/" }]\n' }]
    const made = await it.call(editsApi.overlay, { params, body: { digest, edits } })
    expect(made.actions).toBe(1)
    expect(made.text).toContain('  - target: $\n    update:\n      servers:\n        - url: "https://pets.example/"\n')
  })

  test('what someone else saved is merged, with chosen sides where both changed the same', async () => {
    const theirs = yaml.replace('List pets', 'Their summary').replace('Pets, version', 'Their pets, version')
    await save(theirs)
    const now = await stored()
    const mine = yaml.replace('List pets', 'My summary').replace('listPets', 'list_pets')
    const body = { digest, edits: [whole(mine)] }
    const merged = await it.call(editsApi.merge, { params, body })
    expect([merged.state, merged.current, merged.conflicts.map(({ pointer }) => pointer)]).toEqual([
      'conflicts',
      now,
      ['/paths/~1pets/get/summary'],
    ])
    const kept = yaml
      .replace('List pets', 'My summary')
      .replace('listPets', 'list_pets')
      .replace('Pets, version', 'Their pets, version')
    expect(editText(theirs, merged.edits)).toBe(kept)
    const taken = await it.call(editsApi.merge, { params, body: { ...body, all: 'theirs' } })
    expect(editText(theirs, taken.edits)).toBe(kept.replace('My summary', 'Their summary'))
    const unreadable = await it.call(editsApi.merge, { params, body: { digest, edits: [whole('a: [')] } })
    expect([unreadable.state, unreadable.edits]).toEqual(['unreadable', []])
    expect((await it.call(editsApi.check, { params, body })).current).toBe(now)
  })

  test('edits of a document that was never stored, or at lines that it does not have, are refused', async () => {
    const unknown = `sha256:${'0'.repeat(64)}`
    expect(await outcome(it.call(editsApi.check, { params, body: { digest: unknown, edits: [] } }))).toMatchObject({
      code: 'document-changed',
      expected: unknown,
    })
    const outside = [{ start: at(999), end: at(999), text: '' }]
    expect(await outcome(it.call(editsApi.outline, { params, body: { digest, edits: outside } }))).toEqual({
      code: 'usage',
      reason: 'Line 1000 is given, but the text has 12 lines.',
    })
  })
})
