/** What agents read of what is public: indexes, and operations as Markdown at addresses that stay. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { portalApi } from '../../src/api/portal.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../fixtures/pets-project.ts'

const document = (version: string): string => `openapi: 3.1.0
info: { title: Pets, version: ${version}, description: 'All about [pets](x)' }
servers: [{ url: 'https://pets.test/v1' }]
paths:
  /pets/{petId}:
    get:
      operationId: getPet
      summary: Get one pet
      description: 'Answers *one* pet, or \`404\`.'
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses:
        '200': { description: A pet, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
  /pets-petId:
    get: { summary: The same name, responses: { '204': { description: Nothing } } }
components: { schemas: { Pet: { type: object, properties: { name: { type: string } } } } }
`

onBothEngines('texts for agents', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    it = await openPetsProject(await makeDb())
  }, 60_000)
  afterAll(() => it.service.stop())
  const publish = async (label: string, visibility: string) => {
    await it.send('POST', '', { label, content: document(label) })
    await it.send('POST', `/${label}/publish`, { visibility, force: true, force_reason: 'a test' })
  }
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await it.get(path, headers)
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      etag: response.headers.get('etag'),
      text: await response.text(),
    }
  }
  // What an organization shows is read again after five seconds at most, and when its portal is switched.
  const fresh = () => it.call(portalApi.change, { params: { tenant_slug: 'local' }, body: { enabled: true } })
  const operation = '/p/local/pets/operations/get-pets-petId.md'

  test('nothing is said of what is not published for everybody', async () => {
    await publish('0.9.0', 'private')
    expect((await get('/llms.txt')).text).not.toContain('local')
    for (const path of ['/p/local/llms.txt', '/p/local/pets/llms.txt', operation, '/p/nowhere/llms.txt'])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  test('an index leads from organizations to operations, at addresses that another version keeps', async () => {
    await publish('1.0.0', 'public')
    await fresh()
    const { text, type } = await get('/llms.txt')
    expect(type).toBe('text/plain; charset=utf-8')
    expect(text).toStartWith('# API descriptions\n\n> ')
    expect(text).toContain('](http://svc.test/p/local/llms.txt)')
    const organization = await get('/p/local/llms.txt')
    expect(organization.text).toContain('- [Pets 1.0.0](http://svc.test/p/local/pets/llms.txt): All about pets (x)')
    expect(organization.text).not.toContain('0.9.0')
    const project = await get('/p/local/pets/llms.txt')
    expect(project.text).toContain(
      `- [GET /pets/{petId}](http://svc.test${operation}): Get one pet\n- [GET /pets-petId](http://svc.test/p/local/pets/operations/get-pets-petId-2.md): The same name\n`,
    )
    const one = await get(operation)
    expect([one.status, one.type]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(one.text).toStartWith(
      '# Pets 1.0.0\n\n- https://pets.test/v1\n\n### GET `/pets/{petId}`\n\n**Get one pet**\n',
    )
    expect(one.text).toContain('Answers one pet, or `404`.')
    expect(one.text).toContain('| `petId` | path | string | yes |')
    expect((await get(operation, { 'if-none-match': one.etag ?? '' })).status).toBe(304)
    expect((await get('/p/local/pets/operations/get-cats.md')).status).toBe(404)
    await publish('1.1.0', 'public')
    await fresh()
    expect((await get(operation)).text).toStartWith('# Pets 1.1.0\n')
  })

  test('a portal that is switched off shows nothing', async () => {
    await it.call(portalApi.change, { params: { tenant_slug: 'local' }, body: { enabled: false } })
    expect((await get('/llms.txt')).text).not.toContain('/p/local')
    for (const path of ['/p/local/llms.txt', '/p/local/pets/llms.txt', operation])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })
})
