import { expect, test } from 'bun:test'
import { addMember, addUser } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'

onBothEngines('who makes the service fetch', (makeDb) => {
  test('a Viewer has texts checked and nothing fetched; an Editor both', async () => {
    const db = await makeDb()
    const it = await openPetsProject(db)
    const as = async (name: string, role: 'viewer' | 'editor') => {
      const id = await addUser(db, name)
      await addMember(db, it.tenantId, id, role)
      const authorization = `Bearer ${(await it.service.identity.tokens.issue(id)).token}`
      return async (source: object) => {
        const request = new Request('http://localhost/v1/lint/local/preflight', {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ source }),
        })
        const response = await it.service.handle(request)
        const { detail } = (await response.json()) as { detail?: { code: string; permission?: string } }
        return [response.status, detail?.code, detail?.permission]
      }
    }
    const viewer = await as('vic', 'viewer')
    const editor = await as('eve', 'editor')
    const inline = { kind: 'inline', name: 'pets.yaml', content: petsYaml('1.0.0') }
    const url = { kind: 'url', url: 'https://127.0.0.1/openapi.json' }
    const git = { kind: 'git', url: 'https://127.0.0.1/a.git' }
    const denied = [403, 'permission-denied', 'versions:edit']
    expect([await viewer(inline), await viewer(url), await viewer(git)]).toEqual([
      [200, undefined, undefined],
      denied,
      denied,
    ])
    expect((await editor(url))[1]).toBe('egress-denied')
    expect((await editor(git))[1]).not.toBe('permission-denied')
    await it.service.stop()
  })
})
