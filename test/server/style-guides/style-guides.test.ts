import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { auditEvents } from '../../../db/tables.gen.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { openPetsProject, petsYaml, type Answer, type PetsProject } from '../../fixtures/pets-project.ts'

const base = '/v1/style-guides/local'
const titled = `rules:
  title-says-api:
    description: The title names the API.
    severity: error
    given: $.info.title
    then: { function: pattern, functionOptions: { match: API } }
`

onBothEngines('style guides', (makeDb) => {
  let it: PetsProject
  const ask = (method: string, path: string, body?: unknown) => it.send(method, base + path, body)
  const valueOf = async (method: string, path: string, body?: unknown): Promise<Answer['value']> =>
    (await ask(method, path, body)).value
  const make = async (name: string, more: object = {}): Promise<string> =>
    String((await valueOf('POST', '', { name, ...more }))['id'])
  const projectId = async (): Promise<string> =>
    String((await it.send('GET', '/v1/tenants/local/projects/pets')).value['id'])

  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
    await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
  })
  afterAll(() => it.service.stop())

  test('a fresh tenant has the builtin guides, the recommended one as its default', async () => {
    const { items, total } = await valueOf('GET', '')
    const seen = (items as Record<string, unknown>[]).map((one) => [one['id'], one['builtin'], one['isDefault']])
    expect(total).toBe(4)
    expect(seen).toEqual([
      ['svc-recommended', true, true],
      ['spectral-oas', true, false],
      ['spectral-arazzo', true, false],
      ['svc-agents', true, false],
    ])
    expect(await valueOf('GET', '/assignments/projects/pets')).toEqual({
      projectId: await projectId(),
      projectSlug: 'pets',
      guideId: 'svc-recommended',
      guideName: 'svc:recommended',
      reason: 'tenant-default',
    })
  })

  test('a guide is made, renamed, described, shown and deleted', async () => {
    const created = await ask('POST', '', { name: ' Organization rules ', description: 'ours' })
    expect(created.status).toBe(201)
    const { id, ...rest } = created.value
    expect(rest).toMatchObject({
      name: 'Organization rules',
      description: 'ours',
      builtin: false,
      isDefault: false,
      sourceGuideId: null,
      customRules: 0,
      assignments: 0,
    })
    const path = `/${String(id)}`
    expect(await valueOf('PATCH', path, { name: 'Rules' })).toMatchObject({ name: 'Rules', description: 'ours' })
    expect(await valueOf('PATCH', path, { description: '' })).toMatchObject({ name: 'Rules', description: '' })
    expect(await valueOf('GET', path)).toMatchObject({ id, name: 'Rules' })
    expect(await it.brief('POST', base, { name: 'Rules' })).toBe('409 style-guide-name-taken')
    expect(await it.brief('POST', base, { name: 'svc:recommended' })).toBe('409 style-guide-name-taken')
    expect(await valueOf('DELETE', path)).toEqual({ status: 'deleted', guideId: id })
    expect(await it.brief('GET', base + path)).toBe('404 style-guide-not-found')
    expect(await it.brief('DELETE', base + path)).toBe('404 style-guide-not-found')
  })

  test('a builtin guide is read-only by every way', async () => {
    const path = `${base}/svc-recommended`
    const tries: [string, string, object][] = [
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', {}],
      ['PUT', '/custom-rules', { yaml: 'rules: {}' }],
      ['PUT', '/policy', {}],
      ['PUT', '/rules/operation-tags', { enabled: false }],
    ]
    for (const [method, tail, body] of tries)
      expect(await it.brief(method, path + tail, method === 'DELETE' ? undefined : body)).toBe(
        '409 style-guide-read-only',
      )
  })

  test('rules are turned off and on, change severity, and are copied with the guide', async () => {
    const id = await make('Weighed')
    const rule = (guide: string, name: string) =>
      ask('GET', `/${guide}/rules`).then(({ value }) =>
        (value['items'] as Record<string, unknown>[]).find((one) => one['id'] === name),
      )
    expect(await valueOf('PUT', `/${id}/rules/operation-description`, { enabled: false })).toMatchObject({
      enabled: false,
    })
    expect(await valueOf('PUT', `/${id}/rules/info-contact`, { severity: 'error' })).toMatchObject({
      enabled: true,
      severity: 'error',
      defaultSeverity: 'warning',
    })
    const copy = await make('Copy', { sourceGuideId: id })
    expect(await rule(copy, 'operation-description')).toMatchObject({ enabled: false })
    expect(await rule(copy, 'info-contact')).toMatchObject({ severity: 'error' })
    expect(await valueOf('PUT', `/${copy}/rules/info-contact`, { severity: null })).toMatchObject({
      severity: 'warning',
    })
    expect(await rule(id, 'info-contact')).toMatchObject({ severity: 'error' })
    expect(await it.brief('PUT', `${base}/${id}/rules/no-such-rule`, { enabled: false })).toBe('404 rule-not-found')
    const oas = await make('As Spectral', { sourceGuideId: 'spectral-oas' })
    const lists = await Promise.all(['spectral-oas', oas].map((one) => valueOf('GET', `/${one}/rules`)))
    const [theirs, ours] = lists.map((list) =>
      (list['items'] as Record<string, unknown>[])
        .filter((one) => one['enabled'])
        .map((one) => [one['id'], one['severity']]),
    )
    expect(ours).toEqual(theirs)
    expect(await it.brief('POST', base, { name: 'X', sourceGuideId: 'nobody' })).toBe('404 style-guide-not-found')
    for (const one of [id, copy, oas]) await ask('DELETE', `/${one}`)
  })

  describe('custom rules', () => {
    test('are replaced as a whole, and leave what was set for builtin rules alone', async () => {
      const id = await make('Custom')
      await ask('PUT', `/${id}/rules/operation-description`, { enabled: false })
      const saved = await valueOf('PUT', `/${id}/custom-rules`, { yaml: titled })
      expect(
        (saved['rules'] as Record<string, unknown>[]).map((one) => [one['id'], one['origin'], one['severity']]),
      ).toEqual([['title-says-api', 'custom', 'error']])
      expect(await valueOf('GET', `/${id}/custom-rules`)).toMatchObject({ yaml: titled })
      await ask('PUT', `/${id}/rules/title-says-api`, { enabled: false })
      expect(await valueOf('GET', `/${id}`)).toMatchObject({ customRules: 1 })
      await ask('PUT', `/${id}/custom-rules`, { yaml: 'rules: {}' })
      expect(await valueOf('GET', `/${id}`)).toMatchObject({ customRules: 0 })
      await ask('PUT', `/${id}/custom-rules`, { yaml: `${titled}  info-contact: off\n` })
      const rules = (await valueOf('GET', `/${id}/rules`))['items'] as Record<string, unknown>[]
      const enabled = (name: string) => rules.find((one) => one['id'] === name)?.['enabled']
      // What was set by hand for the rule that was replaced is gone; for the builtin one it stands.
      expect([enabled('title-says-api'), enabled('operation-description'), enabled('info-contact')]).toEqual([
        true,
        false,
        false,
      ])
      await ask('DELETE', `/${id}`)
    })

    test.each([
      ['rules:\n  r:\n    given: $\n    then: { function: nope }\n', '/rules/r/then/function', 4],
      ['rules:\n  r: { then: { function: truthy } }\n', '/rules/r', 2],
      ['extends: https://example.com/rules.yaml\nrules: {}\n', '/extends', 1],
      ['rules: [\n', '', 2],
      ['rules:\n  nobody: error\n', '/rules/nobody', 2],
      ['functions: [mine]\nrules: {}\n', '/functions', 1],
      [' \n# nothing\n', '', 1],
      ['extends: spectral:oas\n', '', 1],
    ])('that cannot be used are refused with their place: %j', async (yaml, pointer, line) => {
      const id = await make(`Refused ${pointer}`)
      for (const [method, path] of [
        ['PUT', `/${id}/custom-rules`],
        ['POST', `/${id}/custom-rules/preview`],
      ] as const) {
        const { status, value } = await ask(method, path, { yaml })
        expect(status).toBe(422)
        expect(value.detail).toMatchObject({ code: 'custom-rules-invalid', pointer, line })
        expect((value.detail as { message?: string }).message).toContain(`line ${line}`)
      }
      expect(await valueOf('GET', `/${id}/custom-rules`)).toMatchObject({ yaml: '' })
      await ask('DELETE', `/${id}`)
    })

    test('that are empty are refused when saved, since they would remove all rules; a preview shows what holds without', async () => {
      const id = await make('Emptied')
      expect(await it.brief('PUT', `${base}/${id}/custom-rules`, { yaml: '' })).toBe('422 custom-rules-invalid')
      expect(await valueOf('POST', `/${id}/custom-rules/preview`, { yaml: '' })).toMatchObject({ rules: [] })
      await ask('DELETE', `/${id}`)
    })

    test('are tried on a document or a version without being stored', async () => {
      const id = await make('Tried')
      const preview = (body: object) => valueOf('POST', `/${id}/custom-rules/preview`, { yaml: titled, ...body })
      const found = (value: Answer['value']) =>
        (value['findings'] as Record<string, unknown>[])
          .filter((one) => one['code'] === 'title-says-api')
          .map((one) => one['range'])
      expect(found(await preview({}))).toEqual([])
      expect(found(await preview({ content: petsYaml('1.0.0') }))).toHaveLength(1)
      expect(found(await preview({ content: petsYaml('1.0.0').replace('Pets', 'Pet API') }))).toEqual([])
      expect(found(await preview({ project: 'pets', version: '1.0.0' }))).toHaveLength(1)
      const unmatched = await preview({ content: petsYaml('1'), yaml: titled.replace('$.info.title', '$.nothing[*]') })
      expect(unmatched['unmatchedRules']).toEqual(['title-says-api'])
      expect(await it.brief('POST', `${base}/${id}/custom-rules/preview`, { yaml: titled, project: 'pets' })).toBe(
        '422 preview-target-unclear',
      )
      expect(await valueOf('GET', `/${id}`)).toMatchObject({ customRules: 0 })
      await ask('DELETE', `/${id}`)
    })
  })

  test('one default, and an assignment that wins over it', async () => {
    const [organization, team] = [await make('Organization'), await make('Team')]
    await ask('PUT', `/${team}/custom-rules`, { yaml: titled })
    const lint = async () => {
      const { value } = await it.send('GET', '/v1/lint/local/catalog/pets/1.0.0')
      const codes = (value['findings'] as Record<string, unknown>[]).map((one) => one['code'])
      return [value['guide'], codes.includes('title-says-api')]
    }
    expect(await lint()).toEqual(['svc:recommended', false])
    expect(await valueOf('PUT', `/${organization}/default`)).toMatchObject({ id: organization, isDefault: true })
    expect(await lint()).toEqual(['Organization', false])
    expect(await valueOf('PUT', `/${team}/assignments/projects/pets`)).toEqual({
      status: 'assigned',
      projectId: await projectId(),
      guideId: team,
    })
    expect(await lint()).toEqual(['Team', true])
    const idle = titled.replace('$.info.title', '$.nothing[*]').replace('title-says-api', 'nothing-to-see')
    await ask('PUT', `/${team}/custom-rules`, { yaml: idle })
    const { value } = await it.send('GET', '/v1/lint/local/catalog/pets/1.0.0')
    expect(value['unmatched_rules']).toContain('nothing-to-see')
    expect(value['unmatched_rules']).not.toContain('info-contact')
    expect(value['skipped_rules']).toEqual([])
    await ask('PUT', `/${team}/custom-rules`, { yaml: titled })
    expect(await valueOf('GET', '/assignments/projects/pets')).toMatchObject({ guideId: team, reason: 'assignment' })
    await ask('PUT', `/${organization}/assignments/projects/pets`)
    expect(await valueOf('GET', `/${team}`)).toMatchObject({ assignments: 0 })
    expect(await valueOf('GET', `/${organization}`)).toMatchObject({ assignments: 1 })
    const listed = async (query: string) => {
      const { items, total } = (await valueOf('GET', `/assignments${query}`)) as {
        items: { projectSlug: string; guideName: string; reason: string }[]
        total: number
      }
      return [total, ...items.map((row) => `${row.projectSlug} ${row.guideName} ${row.reason}`)]
    }
    const [byDefault] = await listed('?guide_id=svc-recommended')
    expect(await listed('?q=PET')).toEqual([1, 'pets Organization assignment'])
    expect(await listed(`?guide_id=${organization}`)).toEqual([1, 'pets Organization assignment'])
    expect((await listed(''))[0]).toBe(1 + Number(byDefault))
    expect(await it.brief('GET', `${base}/assignments?guide_id=none`)).toBe('404 style-guide-not-found')
    const defaults = ((await valueOf('GET', ''))['items'] as Record<string, unknown>[]).filter(
      (one) => one['isDefault'],
    )
    expect(defaults.map((one) => one['id'])).toEqual([organization])
    expect(await valueOf('DELETE', '/assignments/projects/pets')).toMatchObject({
      status: 'unassigned',
      guideId: organization,
    })
    expect(await valueOf('DELETE', '/assignments/projects/pets')).toMatchObject({ status: 'unchanged' })
    await ask('PUT', `/${team}/assignments/projects/pets`)
    // Deleting cascades: the assignment is gone, and the builtin guide is the default again.
    expect(await valueOf('DELETE', `/${team}`)).toEqual({ status: 'deleted', guideId: team })
    expect(await lint()).toEqual(['Organization', false])
    expect(await valueOf('DELETE', `/${organization}`)).toEqual({
      status: 'deleted',
      guideId: organization,
      defaultGuideId: 'svc-recommended',
    })
    expect(await lint()).toEqual(['svc:recommended', false])
    expect(await it.brief('PUT', `${base}/svc-recommended/assignments/projects/nobody`)).toBe('404 project-not-found')
  })

  test('a policy decides what the gates of publishing and preflight mean', async () => {
    const id = await make('Strict')
    await ask('PUT', `/${id}/custom-rules`, { yaml: titled })
    expect(await valueOf('GET', `/${id}/policy`)).toMatchObject({
      guideId: id,
      policyGates: { 'lint-findings': 'warn', minGrade: 'B', failOn: 'error' },
      breakingPublishGuardrail: 'warn',
      requiredReviewerRole: null,
      updatedAt: null,
    })
    const set = (body: object) => valueOf('PUT', `/${id}/policy`, body)
    await set({ policyGates: { 'lint-findings': 'block' }, requiredReviewerRole: 'admin' })
    expect(await set({ breakingPublishGuardrail: 'block' })).toMatchObject({
      policyGates: { 'lint-findings': 'block', 'lint-grade': 'warn' },
      breakingPublishGuardrail: 'block',
      requiredReviewerRole: 'admin',
    })
    expect(await set({ requiredReviewerRole: null, approvalPolicy: { required: true } })).toMatchObject({
      requiredReviewerRole: null,
      approvalPolicy: { required: true, minApprovals: 1 },
    })
    expect((await ask('PUT', `/${id}/policy`, { policyGates: { 'document-valid': 'off' } })).status).toBe(422)
    await ask('PUT', `/${id}/assignments/projects/pets`)
    const readiness = (await it.send('GET', '/1.0.0/publish-readiness')).value
    const gates = readiness['gates'] as { id: string; status: string; message: string }[]
    expect(readiness['ready']).toBe(false)
    expect(gates.filter((one) => one.status === 'fail').map((one) => one.id)).toEqual(['lint-findings', 'approval'])
    expect(gates.find((one) => one.id === 'approval')?.message).toContain('0 of 1 required approval')
    expect(await it.brief('POST', '/1.0.0/publish', {})).toBe('409 publish-gates-failed')
    const preflight = (body: object) =>
      it.send('POST', '/v1/lint/local/preflight', body).then(({ value }) => value['policy'])
    const content = petsYaml('1.0.0')
    expect(await preflight({ content })).toMatchObject({ verdict: 'pass', guide_id: 'svc-recommended' })
    expect(await preflight({ content, project: 'pets' })).toMatchObject({ verdict: 'blocked', guide_id: id })
    await set({ policyGates: { 'lint-findings': 'off', 'lint-grade': 'off' } })
    expect(await preflight({ content, project: 'pets' })).toMatchObject({ verdict: 'pass' })
    await ask('DELETE', `/${id}`)
  })

  test('imports and drafts are graded by the guide of their project', async () => {
    const id = await make('Graded')
    await ask('PUT', `/${id}/custom-rules`, { yaml: titled })
    await ask('PUT', `/${id}/assignments/projects/pets`)
    const made = await it.send('POST', '', { label: '7.0.0', content: petsYaml('7.0.0') })
    expect([made.status, made.value['grade']]).toEqual([201, 'C'])
    const source = { kind: 'inline', name: 'pets.yaml', content: petsYaml('7.1.0') }
    const body = { source, project_slug: 'pets', fail_on: 'error' }
    const job = async (more: object) => {
      const { value } = await it.send('POST', '/v1/tenants/local/imports', { ...body, ...more })
      return (await it.send('GET', `/v1/imports/${String(value['job_id'])}?wait=30`)).value
    }
    // Nothing is wrong with it by the recommended rules.
    const elsewhere = { project_slug: 'others', source: { ...source, content: petsYaml('7.2.0') } }
    expect((await job(elsewhere))['status']).toBe('completed')
    const blocked = await job({})
    expect([blocked['status'], (blocked['gate'] as { passed: boolean }).passed]).toEqual(['blocked', false])
    const stored = await job({ fail_on: undefined })
    expect([stored['status'], (stored['lint'] as { grade: string }).grade]).toEqual(['completed', 'C'])
    expect((await it.send('GET', '/7.1.0')).value['grade']).toBe('C')
    await ask('DELETE', `/${id}`)
    await it.send('DELETE', '/v1/tenants/local/projects/others')
  })

  test('a policy pack never changes, and is counted', async () => {
    const id = await make('Packed')
    await ask('PUT', `/${id}/custom-rules`, { yaml: titled })
    const first = await ask('POST', `/${id}/policy-versions`)
    expect([first.status, first.value['version'], first.value['customRulesYaml']]).toEqual([201, 1, titled])
    await ask('PUT', `/${id}/custom-rules`, { yaml: 'rules: {}' })
    await ask('PUT', `/${id}/policy`, { breakingPublishGuardrail: 'block' })
    const second = await valueOf('POST', `/${id}/policy-versions`)
    expect(second).toMatchObject({ version: 2, policy: { breakingPublishGuardrail: 'block' } })
    expect(await valueOf('GET', `/${id}/policy-versions/${String(first.value['id'])}`)).toEqual(first.value)
    const list = await valueOf('GET', `/${id}/policy-versions`)
    expect((list['items'] as Record<string, unknown>[]).map((one) => one['version'])).toEqual([2, 1])
    expect(second['digest']).not.toBe(first.value['digest'])
    expect(await it.brief('GET', `${base}/${id}/policy-versions/nobody`)).toBe('404 policy-version-not-found')
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect(
        (await ask(method, `/${id}/policy-versions/${String(first.value['id'])}`, method === 'DELETE' ? undefined : {}))
          .status,
      ).toBe(405)
    await ask('DELETE', `/${id}`)
  })

  test('the impact of a guide is shown before it applies', async () => {
    await it.send('POST', '', { label: '9.0.0', content: petsYaml('9.0.0') })
    const id = await make('Heavy')
    await ask('PUT', `/${id}/custom-rules`, { yaml: titled })
    const { items, total } = await valueOf('GET', `/${id}/impact`)
    const [one] = items as { before: { score: number }; after: { score: number } }[]
    expect(total).toBe(1)
    expect(one).toMatchObject({ projectSlug: 'pets', label: '9.0.0', guideId: 'svc-recommended' })
    expect(one?.after.score).toBeLessThan(one?.before.score ?? 0)
    await ask('DELETE', `/${id}`)
  })

  test('guides of another tenant are nobody’s, and every change is audited', async () => {
    const id = await make('Ours')
    const foreign = await addApiKey(it.service.deps.db, await addTenant(it.service.deps.db, 'other'))
    const as = (path: string, method = 'GET', body?: unknown) =>
      it.send(method, `/v1/style-guides/other${path}`, body, { 'x-api-key': foreign })
    expect((await as(`/${id}`)).value.detail?.code).toBe('style-guide-not-found')
    expect((await as(`/${id}/default`, 'PUT')).value.detail?.code).toBe('style-guide-not-found')
    expect((await as('', 'POST', { name: 'Copy', sourceGuideId: id })).value.detail?.code).toBe('style-guide-not-found')
    expect((await as('')).value['total']).toBe(4)
    const changes: [string, string, object?][] = [
      ['PATCH', '', { description: 'ours' }],
      ['PUT', '/custom-rules', { yaml: titled }],
      ['PUT', '/rules/info-contact', { enabled: false }],
      ['PUT', '/policy', {}],
      ['POST', '/policy-versions'],
      ['PUT', '/default'],
      ['PUT', '/assignments/projects/pets'],
    ]
    for (const [method, path, body] of changes)
      expect((await ask(method, `/${id}${path}`, body)).status).toBeLessThan(300)
    await ask('DELETE', '/assignments/projects/pets')
    await ask('DELETE', `/${id}`)
    const rows = await it.service.deps.db.read.select({ action: auditEvents.action }).from(auditEvents)
    const actions = new Set(rows.map((row) => row.action).filter((action) => action.startsWith('style-guide.')))
    expect([...actions].toSorted()).toEqual([
      'style-guide.assigned',
      'style-guide.created',
      'style-guide.custom-rules-set',
      'style-guide.deleted',
      'style-guide.made-default',
      'style-guide.pack-created',
      'style-guide.policy-set',
      'style-guide.rule-set',
      'style-guide.unassigned',
      'style-guide.updated',
    ])
  })
})
