import { expect, test } from 'bun:test'
import { projectsApi } from '../../../src/api/projects.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, petsYaml } from '../../fixtures/pets-project.ts'

onBothEngines('documents of deleted projects', (makeDb) => {
  test('a public document that was just sent is gone at once', async () => {
    const it = await openPetsProject(await makeDb())
    try {
      await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0'), visibility: 'public' })
      expect(await it.brief('POST', '/1.0.0/publish')).toBe('200')
      const path = '/v1/schema/local/pets/1.0.0'
      // The second answer comes from memory.
      expect([(await it.get(path)).status, (await it.get(path)).status]).toEqual([200, 200])
      await it.call(projectsApi.remove, { params: { tenant_slug: it.tenant, project_ref: 'pets' } })
      expect((await it.get(path)).status).toBe(401)
    } finally {
      await it.service.stop()
    }
  })
})
