/** The bodies that GitHub sends, as it publishes them: of every event, of github.com and of its servers. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { hookEvents } from '../../../db/tables.gen.ts'
import { noteAddress } from '../../../server/auth/address.ts'
import { movesRefs } from '../../../src/hooks/verify.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGitProject, type GitProject } from '../../fixtures/git-project.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'

interface Example {
  readonly name: string
  readonly examples: readonly { readonly ref?: string; readonly base_ref?: string }[]
}

// Its types are large and of no use here.
const read = (name: string): readonly Example[] =>
  JSON.parse(
    readFileSync(Bun.resolveSync(`@octokit/webhooks-examples/${name}/index.json`, import.meta.dir), 'utf8'),
  ) as Example[]
const secret = 'a secret of the hook'

onBothEngines('bodies of GitHub', (makeDb) => {
  let it: GitProject
  let token = ''

  beforeAll(async () => {
    it = await openGitProject(await makeDb())
    it.git.create('acme/shop', { 'openapi.yaml': petsYaml('1.0.0') })
    const id = await it.register('acme/shop')
    const hook = await it.at('POST', `/repositories/${id}/webhook`, { create: 'manual', secret })
    token = (hook.value['subscription'] as { url: string }).url.split('/').at(-1) ?? ''
  }, 60_000)
  afterAll(() => it.close())

  for (const name of ['api.github.com', 'ghes-35'])
    test(`each is verified, and those of ${name} that move refs are taken`, async () => {
      const deliver = async (event: string, id: string, body: string) => {
        const headers = {
          'content-type': 'application/json',
          'x-github-event': event,
          'x-github-delivery': id,
          'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
        }
        const request = new Request(`http://localhost/v1/hooks/github/${token}`, { method: 'POST', headers, body })
        const answer = await it.service.handle(noteAddress(request, '203.0.113.5'))
        return `${answer.status} ${((await answer.json()) as { outcome: string }).outcome}`
      }
      const expected: string[] = []
      const found: string[] = []
      const refs: (string | null)[] = []
      for (const { name: event, examples } of read(name))
        for (const [n, example] of examples.entries()) {
          const outcome = await deliver(event, `${name} ${event} ${n}`, JSON.stringify(example))
          found.push(`${event} ${outcome}`)
          expected.push(`${event} 202 ${movesRefs('github', event) ? 'accepted' : 'ignored'}`)
          if (event === 'push') refs.push(example.ref ?? null)
        }
      expect(found).toEqual(expected)
      const { read: reader } = it.service.deps.db
      const rows = await reader.select().from(hookEvents).orderBy(hookEvents.id)
      const pushes = rows.filter((row) => row.event === 'push' && row.deliveryId?.startsWith(name))
      expect(pushes.map(({ ref, outcome }) => [ref, outcome])).toEqual(refs.map((ref) => [ref, 'ip-warned']))
      expect(refs.length).toBeGreaterThan(0)
      expect(it.faults).toEqual([])
    })
})
