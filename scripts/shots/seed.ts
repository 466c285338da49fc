/** What the real service holds for the pictures: documents of several sizes in several versions, with all that belongs to them. */
import museum from '@readme/oas-examples/3.1/json/train-travel.json'
import petstore from '@readme/oas-examples/3.0/json/petstore.json'
import star from '@readme/oas-examples/3.0/json/star-trek.json'
import type { Real } from '../../test/fixtures/web/real.ts'

type Tree = Record<string, unknown>
const base = '/v1/tenants/local'

const at = (tree: Tree, ...keys: readonly string[]): Tree => {
  let node: unknown = tree
  for (const key of keys) node = (node as Tree)[key]
  return node as Tree
}

/** A copy of a document under another version, changed. */
const next = (document: object, version: string, change: (it: Tree) => void = () => {}): string => {
  const copy = structuredClone(document) as Tree
  at(copy, 'info')['version'] = version
  change(copy)
  return JSON.stringify(copy, null, 2)
}

const without = (path: string) => (it: Tree) => {
  delete at(it, 'paths')[path]
}
const described = (it: Tree) => {
  at(it, 'info')['description'] = `${String(at(it, 'info')['description'] ?? '')}\n\nTimes are in UTC.`
}
const [, second = '', third = ''] = Object.keys(museum.paths)

const longSlug = 'a-project-with-a-rather-long-slug-that-goes-on'

/** The versions of each project: the last may stay a draft. */
const documents: readonly { project: string; label: string; text: string; publish: boolean }[] = [
  { project: 'train-travel', label: '1.0.0', text: next(museum, '1.0.0', without(third)), publish: true },
  {
    project: 'train-travel',
    label: '1.0.1',
    text: next(museum, '1.0.1', (it) => (without(third)(it), described(it))),
    publish: true,
  },
  { project: 'train-travel', label: '1.1.0', text: next(museum, '1.1.0'), publish: true },
  { project: 'train-travel', label: '1.2.0', text: next(museum, '1.2.0', described), publish: true },
  { project: 'train-travel', label: '2.0.0', text: next(museum, '2.0.0', without(second)), publish: false },
  { project: 'petstore', label: '1.0.0', text: next(petstore, '1.0.0'), publish: true },
  { project: 'petstore', label: '1.1.0', text: next(petstore, '1.1.0', without('/store/inventory')), publish: true },
  { project: 'star-trek', label: '1.0.0', text: next(star, '1.0.0'), publish: true },
  {
    project: longSlug,
    label: '0.1.0',
    text: next(petstore, '0.1.0'),
    publish: false,
  },
]
const names: Readonly<Record<string, string>> = {
  'train-travel': 'Train Travel API',
  petstore: 'Petstore',
  'star-trek': 'Star Trek',
  [longSlug]: 'Supercalifragilisticexpialidocious-Donaudampfschifffahrtsgesellschaft API',
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/**
 * Fills the service.
 * @param longNames whether there is a project with names that are longer than most pages have room for
 */
export async function seed({ ask }: Real, longNames = true): Promise<void> {
  const isMade = (slug: string): boolean => longNames || slug !== longSlug
  for (const [slug, name] of Object.entries(names))
    if (isMade(slug)) await ask('POST', `${base}/projects`, { name, slug })
  const facts = {
    owner: 'Ada Lovelace',
    lifecycle: 'production',
    tags: ['public', 'rest'],
    description: 'Stations, trips and bookings.',
  }
  await ask('PATCH', `${base}/projects/train-travel`, facts)
  for (const { project, label, text, publish } of documents) {
    if (!isMade(project)) continue
    await ask('POST', `${base}/projects/${project}/versions`, { label, content: text })
    if (publish) await ask('POST', `${base}/projects/${project}/versions/${label}/publish`, { visibility: 'public' })
    if (project !== 'train-travel' || label !== '1.0.0') continue
    await ask('POST', `${base}/projects/${project}/consumers`, { name: 'Ticket app', owner: 'Mobile' })
    await ask('POST', `${base}/projects/${project}/consumers`, { name: 'Kiosk' })
    const operations = [{ method: 'GET', path: second }]
    await ask('PUT', `${base}/projects/${project}/consumers/ticket-app/contract`, { operations })
  }
  const deprecation = { sunset_at: inDays(12), replacement: '1.2.0' }
  await ask('POST', `${base}/projects/train-travel/versions/1.0.0/deprecate`, deprecation)
  const guide = await ask('POST', '/v1/style-guides/local', { name: 'House', sourceGuideId: 'svc-recommended' })
  await ask('PUT', `/v1/style-guides/local/${String(guide['id'])}/policy`, {
    policyGates: { 'consumer-impact': 'block' },
  })
  await ask('PUT', `/v1/style-guides/local/${String(guide['id'])}/default`)
  await ask('POST', '/_app/tenants/local/api-keys', { name: 'pipeline', expires_in_days: 12 })
}

const project = '/t/local/train-travel'

/** Paths of the application that the service above has something to show on. */
export const realRoutes: readonly string[] = [
  '/t/local/-/home',
  '/t/local/-/home?show=grades',
  '/t/local',
  project,
  '/t/local/a-project-with-a-rather-long-slug-that-goes-on',
  `${project}/2.0.0`,
  `${project}/1.2.0`,
  `${project}/1.0.0`,
  `${project}/2.0.0/findings`,
  `${project}/2.0.0/changes`,
  `${project}/2.0.0/source`,
  `${project}/-/consumers`,
  '/t/local/petstore/1.1.0',
  '/t/local/-/audit',
  '/t/local/-/keys',
  '/t/local/-/style-guides',
  '/t/local/-/compare?base=train-travel%401.2.0&head=train-travel%402.0.0',
  '/t/local/-/import',
  '/t/local/-/usage',
  '/t/local/-/settings',
]
