import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ChangeReport, ChangeReportPreview } from '../../../src/api/change-reports.ts'
import { changeReports } from '../../../db/tables.gen.ts'
import { addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { atomProblems } from '../../schemas/judges.ts'
import { openPetsProject, petsBase, type Answer, type PetsProject } from '../../fixtures/pets-project.ts'

const pets = (version: string, name = 'string', title = 'Pets') =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version },
    paths: {
      '/pets': {
        get: {
          responses: {
            '200': {
              description: 'Pets',
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['name'], properties: { name: { type: name } } },
                },
              },
            },
          },
        },
      },
    },
  })

onBothEngines('change reports', (makeDb) => {
  let it: PetsProject
  const people = new Map<string, string>()
  const report = '/v1/versions/local/pets'
  const as = async (person: string, method: string, path: string, body?: unknown, headers = {}): Promise<Answer> => {
    const userId = people.get(person) ?? it.ownerId
    const { token } = await it.service.identity.tokens.issue(userId)
    const target = `http://localhost${path.startsWith('/v1') ? path : report + path}`
    const request = new Request(target, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const response = await it.service.handle(request)
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').includes('json')
    return {
      status: response.status,
      text,
      headers: response.headers,
      value: isJson && text !== '' ? JSON.parse(text) : {},
    }
  }
  const read = async (label: string): Promise<ChangeReport> => {
    const { status, value } = await as('owner', 'GET', `/${label}/change-report`)
    expect(status).toBe(200)
    return value as unknown as ChangeReport
  }
  const draft = async (person: string, label: string, content: string) => {
    const made = await as(person, 'POST', petsBase, { content })
    expect([made.status, made.value.detail]).toEqual([201, undefined])
    return `${petsBase}/${label}`
  }

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    for (const name of ['editor', 'author', 'viewer'] as const) {
      people.set(name, await addUser(it.service.deps.db, name))
      await addMember(it.service.deps.db, it.tenantId, people.get(name) ?? '', name === 'viewer' ? 'viewer' : 'editor')
    }
    await draft('owner', '1.0.0', pets('1.0.0'))
    await draft('author', '2.0.0', pets('2.0.0', 'integer'))
    expect((await as('owner', 'POST', `${petsBase}/1.0.0/publish`, { visibility: 'public' })).status).toBe(200)
  })
  afterAll(() => it.service.stop())

  test('a first publication says so', async () => {
    const first = await read('1.0.0')
    expect(first).toMatchObject({
      baselineRevisionId: null,
      templateVersionId: 'system-1.0.0',
      headerSnapshot: '# Pets 1.0.0',
      renderedBody: '**First release.** There is no earlier version to compare with.',
      footnoteSnapshot: 'There is no earlier published version.',
      editedAt: null,
      effectiveHeaderSnapshot: '# Pets 1.0.0',
      changeModelJson: { initialPublication: true, counts: { total: 0 } },
    })
    expect((await as('owner', 'GET', '/2.0.0/change-report')).value.detail?.code).toBe('change-report-not-found')
  })

  test('a preview shows what publishing would write, and keeps nothing', async () => {
    const preview = async (body?: object): Promise<ChangeReportPreview> => {
      const { status, value } = await as('author', 'POST', '/2.0.0/change-report/publish-preview', body)
      expect([status, value.detail]).toEqual([200, undefined])
      return value as unknown as ChangeReportPreview
    }
    const auto = await preview()
    expect([auto.fromVersionLabel, auto.toVersionLabel, auto.initialPublication]).toEqual(['1.0.0', '2.0.0', false])
    expect(auto.renderedBody).toContain('**1 breaking change.**')
    const initial = await preview({ changeReportBaselineMode: 'initial' })
    expect([initial.initialPublication, initial.fromVersionLabel, initial.baselineRevisionId]).toEqual([true, '', null])
    const manual = await preview({
      changeReportBaselineMode: 'manual',
      changeReportBaselineRevisionId: auto.baselineRevisionId ?? '',
    })
    expect(manual.fromVersionLabel).toBe('1.0.0')
    const foreign = await as('author', 'POST', '/2.0.0/change-report/publish-preview', {
      changeReportBaselineMode: 'manual',
      changeReportBaselineRevisionId: 'of-another-project',
    })
    expect(foreign.value.detail?.code).toBe('baseline-invalid')
    expect(await it.service.deps.db.read.$count(changeReports)).toBe(1)
    expect((await as('viewer', 'POST', '/2.0.0/change-report/publish-preview')).status).toBe(403)
  })

  test('publishing writes the report with it', async () => {
    expect((await as('owner', 'POST', `${petsBase}/2.0.0/publish`, { visibility: 'public' })).status).toBe(200)
    const it2 = await read('2.0.0')
    // How a change is worded is the comparison's affair.
    const body = it2.renderedBody?.replaceAll(/- .*type.* `schema-type-changed`\n  - example: `.*`/gi, '- IT')
    expect(body?.replace(/(## Documentation\n\n### The whole document\n\n- ).*/, '$1SAID'))
      .toBe(`**1 breaking change.** Clients written for 1.0.0 can fail with 2.0.0.

### GET /pets

- IT

## Documentation

### The whole document

- SAID`)
    expect(it2.footnoteSnapshot).toBe('Compared with 1.0.0.')
  })

  test('edits stand over what was rendered, each whole; null takes one away, clearEdits all', async () => {
    const edit = (body: object) => as('author', 'PATCH', '/2.0.0/change-report', body)
    const edited = (await edit({ editedRenderedBody: 'Names are numbers now.', editedHeaderSnapshot: '# Two' })).value
    expect(edited).toMatchObject({
      editedRenderedBody: 'Names are numbers now.',
      effectiveRenderedBody: 'Names are numbers now.',
      effectiveHeaderSnapshot: '# Two',
      headerSnapshot: '# Pets 2.0.0',
      effectiveFootnoteSnapshot: 'Compared with 1.0.0.',
      editedBy: `user:${people.get('author')}`,
    })
    const one = (await edit({ editedHeaderSnapshot: null })).value
    expect(one).toMatchObject({ editedHeaderSnapshot: null, effectiveHeaderSnapshot: '# Pets 2.0.0' })
    expect(one.editedAt).not.toBe(null)
    const none = (await edit({ clearEdits: true })).value
    expect(none).toMatchObject({ editedRenderedBody: null, editedAt: null, editedBy: null })
    expect((await edit({ editedBody: 'x' })).status).toBe(422)
  })

  test('only the creator or an administrator, and only as a person', async () => {
    const patch = { editedFootnoteSnapshot: 'Mine.' }
    const outcomes = {
      editor: await as('editor', 'PATCH', '/2.0.0/change-report', patch),
      viewer: await as('viewer', 'PATCH', '/2.0.0/change-report', patch),
      owner: await as('owner', 'PATCH', '/2.0.0/change-report', patch),
      key: await it.send('PATCH', `${report}/2.0.0/change-report`, patch),
      keyPreview: await it.send('POST', `${report}/2.0.0/change-report/publish-preview`, {}),
      keyRegenerate: await it.send('POST', `${report}/2.0.0/change-report/regenerate`, {}),
      keyRead: await it.send('GET', `${report}/2.0.0/change-report`),
      editorRegenerate: await as('editor', 'POST', '/2.0.0/change-report/regenerate'),
    }
    expect(
      Object.entries(outcomes).map(([name, { status, value }]) => [name, status, value.detail?.code ?? null]),
    ).toEqual([
      ['editor', 403, 'creator-required'],
      ['viewer', 403, 'permission-denied'],
      ['owner', 200, null],
      ['key', 403, 'person-required'],
      ['keyPreview', 403, 'person-required'],
      ['keyRegenerate', 403, 'person-required'],
      ['keyRead', 200, null],
      ['editorRegenerate', 403, 'creator-required'],
    ])
  })

  test('templates: the project before the tenant before the system; edits stay unless they are discarded', async () => {
    const templates = '/v1/tenants/local/change-report-templates'
    const texts = { header: 'T {{to.label}}', body: '{{counts.breaking}} of {{counts.total}}', footnote: '' }
    const wrong = await as('owner', 'POST', templates, { ...texts, body: 'x\n{{#breaking}}{{nope}}{{/breaking}}' })
    expect([wrong.status, wrong.value.detail]).toMatchObject([
      400,
      { code: 'template-invalid', problems: [{ part: 'body', line: 2, field: 'nope' }] },
    ])
    expect((await as('editor', 'POST', templates, texts)).status).toBe(403)
    const tenant = (await as('owner', 'POST', templates, texts)).value
    expect(tenant).toMatchObject({ scope: 'tenant', version: '1', isDefault: true })
    const regenerate = async (body?: object): Promise<ChangeReport> =>
      (await as('author', 'POST', '/2.0.0/change-report/regenerate', body)).value as unknown as ChangeReport
    const byTenant = await regenerate()
    expect([byTenant.headerSnapshot, byTenant.renderedBody, byTenant.templateVersionId]).toEqual([
      'T 2.0.0',
      '1 of 2',
      String(tenant.id),
    ])
    expect([byTenant.editedFootnoteSnapshot, byTenant.effectiveFootnoteSnapshot]).toEqual(['Mine.', 'Mine.'])
    const project = (await as('owner', 'POST', templates, { ...texts, header: 'P {{to.label}}', project: 'pets' }))
      .value
    expect((await regenerate()).headerSnapshot).toBe('P 2.0.0')
    const named = await regenerate({ templateVersionId: String(tenant.id), discardUserEdits: true })
    expect([named.headerSnapshot, named.editedFootnoteSnapshot, named.editedAt]).toEqual(['T 2.0.0', null, null])
    expect(named.regeneratedAt).not.toBe(null)
    expect((await regenerate({ templateVersionId: 'system-1.0.0' })).headerSnapshot).toBe('# Pets 2.0.0')
    const lost = await as('author', 'POST', '/2.0.0/change-report/regenerate', { templateVersionId: 'x' })
    expect([lost.status, lost.value.detail?.code]).toEqual([404, 'template-not-found'])
    const second = (await as('owner', 'POST', templates, { ...texts, header: 'P2', project: 'pets' })).value
    expect(second.version).toBe('2')
    await as('owner', 'PUT', `${templates}/${String(project.id)}/default`)
    const { items } = (await as('owner', 'GET', `${templates}?project=pets`)).value as {
      items: Record<string, unknown>[]
    }
    expect(items.map((one) => [one.scope, one.version, one.isDefault])).toEqual([
      ['project', '2', false],
      ['project', '1', true],
      ['tenant', '1', false],
      ['system', '1.0.0', false],
    ])
    expect((await as('owner', 'DELETE', `${templates}/default?project=pets`)).status).toBe(204)
    expect((await regenerate()).headerSnapshot).toBe('T 2.0.0')
    expect((await as('owner', 'DELETE', `${templates}/default`)).status).toBe(204)
    expect((await regenerate()).headerSnapshot).toBe('# Pets 2.0.0')
  })

  test('a publication that is undone leaves no report', async () => {
    await draft('owner', '3.0.0', pets('3.0.0', 'integer'))
    const db = it.service.deps.db
    const before = await db.read.$count(changeReports)
    await db
      .inTransaction(async (tx) => {
        await tx.delete(changeReports).where(eq(changeReports.tenantId, it.tenantId))
        throw new Error('undone')
      })
      .catch(() => null)
    expect(await db.read.$count(changeReports)).toBe(before)
    const refused = await as('owner', 'POST', `${petsBase}/3.0.0/publish`, { expected_digest: 'sha256:other' })
    expect([refused.status, await db.read.$count(changeReports)]).toEqual([412, before])
  })

  test('the feed lists publications to readers who may see them', async () => {
    await as('owner', 'POST', `${petsBase}/3.0.0/publish`, { visibility: 'private' })
    const path = '/v1/tenants/local/projects/pets/changes.atom'
    const titles = (text: string) => [...text.matchAll(/<title type="text">([^<]*)</g)].map((match) => match[1])
    const anonymous = await it.get(path)
    expect(anonymous.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(titles(await anonymous.text())).toEqual([
      'Pets: published changes',
      'Pets 2.0.0: 1 breaking change',
      'Pets 1.0.0: First release',
    ])
    const member = await as('viewer', 'GET', path)
    expect(atomProblems(member.text)).toBe('')
    expect(titles(member.text)[1]).toBe('Pets 3.0.0: Only documentation changed')
    const linked = await it.get(`${path}?api_key=${it.key}`)
    expect(titles(await linked.text())).toHaveLength(4)
    const again = await it.get(path, { 'if-none-match': anonymous.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect((await it.get('/v1/tenants/local/projects/nothing/changes.atom')).status).toBe(401)
    expect((await as('viewer', 'GET', '/v1/tenants/local/projects/nothing/changes.atom')).status).toBe(404)
  })
})
