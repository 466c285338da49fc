/** Names of consumers are for members: no address that is open to everybody shows one. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWeb } from '../../../server/web/serve.ts'
import { endpoints } from '../../../src/api/contracts.gen.ts'
import { addMember, addTenant, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsBase, type PetsProject } from '../../fixtures/pets-project.ts'

const pets = (version: string, type: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version },
    paths: {
      '/pets': {
        get: {
          responses: {
            '200': {
              description: 'Pets',
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['name'], properties: { name: { type } } },
                },
              },
            },
          },
        },
      },
    },
  })
const project = petsBase.replace('/versions', '')
const names = /zebra|quokka/i

onBothEngines('names of consumers', (makeDb) => {
  let it: PetsProject
  let outsider: string
  let member: string

  const publish = async (version: string, type: string): Promise<void> => {
    await it.send('POST', '', { label: version, content: pets(version, type) })
    const { text } = await it.send('POST', `/${version}/publish`, {
      visibility: 'public',
      force: true,
      force_reason: 'a test',
    })
    expect(text).toContain('"published"')
  }
  const tokenOf = async (user: string): Promise<string> => (await it.service.identity.tokens.issue(user)).token

  beforeAll(async () => {
    await openWeb()
    const db = await makeDb()
    it = await openPetsProject(db)
    const other = await addTenant(db, 'other', 'team')
    const stranger = await addUser(db, 'oda')
    await addMember(db, other, stranger, 'owner')
    const viewer = await addUser(db, 'vic')
    await addMember(db, it.tenantId, viewer, 'viewer')
    outsider = await tokenOf(stranger)
    member = await tokenOf(viewer)
    await publish('1.0.0', 'string')
    for (const name of ['Zebra Checkout', 'Quokka Mail']) {
      const made = await it.send('POST', `${project}/consumers`, { name })
      const selection = {
        operations: [{ method: 'GET', path: '/pets', responses: { '200': ['name'] } }],
      }
      const stored = await it.send('PUT', `${project}/consumers/${String(made.value['handle'])}/contract`, selection)
      expect(stored.text).toContain('name')
    }
    await publish('2.0.0', 'integer')
    await publish('3.0.0', 'boolean')
    const report = `/v1/versions/local/pets/3.0.0/change-report`
    const { value } = await it.send('GET', report)
    const owner = await tokenOf(it.ownerId)
    const edited = await it.service.handle(
      new Request(`http://localhost${report}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          editedRenderedBody: `${String(value['renderedBody'])}\n\nTalk to quokka-mail first.`,
        }),
      }),
    )
    expect(edited.status).toBe(200)
  }, 60_000)
  afterAll(() => it.service.stop())

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await it.get(path, headers)
    return { status: response.status, text: await response.text() }
  }
  const known: Readonly<Record<string, readonly string[]>> = {
    tenant_slug: ['local'],
    project_slug: ['pets'],
    project_ref: ['pets'],
    version_slug: ['1.0.0', '2.0.0', '3.0.0', 'latest'],
    class_name: ['Pet'],
    part_name: ['index', 'operation-0', 'words-p', 'changes'],
    badge_kind: ['version.svg', 'grade.svg', 'compatible.svg'],
  }
  /** Every address of an operation that needs no credentials, filled with what there is. */
  const openAddresses = endpoints
    .filter((one) => one.method === 'GET' && one.access.anonymous === true)
    .flatMap(({ path, id }) => {
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
      return parameters
        .reduce<string[]>(
          (paths, name) =>
            paths.flatMap((one) => (known[name] ?? ['pets']).map((value) => one.replace(`{${name}}`, value))),
          [path],
        )
        .map((address) => ({ id, address: address.startsWith('/v1/specs') ? `${address}?q=pets` : address }))
    })

  test('no operation that is open to everybody shows one, to nobody and to members of other organizations', async () => {
    const shown: string[] = []
    const answered = new Set<string>()
    for (const headers of [{}, { authorization: `Bearer ${outsider}` }])
      for (const { id, address } of openAddresses) {
        const { status, text } = await read(address, headers)
        if (status === 200) answered.add(id)
        if (names.test(text)) shown.push(address)
      }
    expect(shown).toEqual([])
    expect([...answered].filter((id) => /^(documents|portal|change-reports)\./.test(id)).sort()).toEqual([
      'change-reports.feed',
      'documents.json-schema',
      'documents.openapi',
      'documents.page',
      'documents.part',
      'portal.badge',
      'portal.feed',
      'portal.page',
      'portal.robots',
      'portal.sitemap',
    ])
  }, 60_000)

  test('everybody reads that there are some; members read which', async () => {
    const paths = ['/v1/tenants/local/projects/pets/changes.atom', '/v1/swagger/local/pets/3.0.0/changes']
    for (const path of paths) {
      const open = await read(path)
      expect([open.text.match(/affects [\w ,-]+/g), open.text.match(/Talk to [\w -]+/g)]).toEqual([
        ['affects registered consumers'],
        ['Talk to a consumer first'],
      ])
      const inside = await read(path, { authorization: `Bearer ${member}` })
      expect([inside.text.match(/affects [\w ,-]+/g), inside.text.match(/Talk to [\w -]+/g)]).toEqual([
        ['affects quokka-mail, zebra-checkout', 'affects quokka-mail, zebra-checkout'],
        ['Talk to quokka-mail first'],
      ])
      // Who reads after a member gets no more than before.
      expect((await read(path)).text).toBe(open.text)
    }
    const { value } = await it.send('GET', '/v1/versions/local/pets/2.0.0/change-report')
    expect(value['renderedBody']).toContain('**Zebra Checkout** would break')
    expect((await read('/v1/versions/local/pets/2.0.0/change-report')).status).toBe(401)
  })
})
