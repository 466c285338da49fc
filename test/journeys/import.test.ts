/** The import page with the real service: checked first, then stored where the reader says. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openReal, type Real } from '../fixtures/web/real.ts'

let on: Real
beforeAll(async () => {
  on = await openReal()
})
afterAll(async () => {
  expect(on.conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await on.close()
})

const yaml = (title: string, version: string, paths = '{}'): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: ${version} }\npaths: ${paths}\n`
const file = (name: string, text: string) => ({ name, mimeType: 'application/yaml', buffer: Buffer.from(text) })

const choose = (...files: ReturnType<typeof file>[]) => on.page.locator('input[type=file]').first().setInputFiles(files)
const plan = (text: string) => on.page.getByRole('status').getByText(text).or(on.page.getByText(text)).first().waitFor()
const slugs = async (): Promise<unknown> => {
  const { items } = await on.ask('GET', '/v1/tenants/local/projects')
  return (items as { slug: string; versions_count: number }[]).map((it) => `${it.slug} ${it.versions_count}`).toSorted()
}

test('a document is checked, imported, and its next version goes where the title says', async () => {
  await on.go('/t/local/-/import')
  await choose(file('zoo.yaml', yaml('Zoo', '1.0.0')))
  await plan('Creates the project "Zoo" with version 1.0.0.')
  expect(await slugs()).toEqual(['bookshop 2'])
  await on.page.getByLabel('Name of the new project').fill('Animals')
  await on.page.keyboard.press('Enter')
  await plan('Creates the project "Animals" with version 1.0.0.')
  await on.press('Import')
  await on.page.getByRole('link', { name: 'Open animals 1.0.0' }).waitFor()
  expect(await slugs()).toEqual(['animals 1', 'bookshop 2'])

  await on.press('Choose another')
  await choose(file('zoo.yaml', yaml('Zoo', '1.1.0')))
  await plan('Adds version 1.1.0 to "Animals".')
  expect(await on.page.getByRole('radio', { name: /Animals/ }).isChecked()).toBe(true)
  await on.page.getByLabel('Version').fill('2.0.0')
  await on.page.keyboard.press('Enter')
  await plan('Adds version 2.0.0 to "Animals".')
  await on.page.getByRole('radio', { name: /Publish to the organization/ }).check()
  await on.press('Import')
  await on.page.getByRole('link', { name: 'Open animals 2.0.0' }).waitFor()
  expect(await slugs()).toEqual(['animals 2', 'bookshop 2'])
})

test('the document that is stored already is not imported again; one that is not valid is refused with its lines', async () => {
  await on.go('/t/local/-/import?project=animals')
  await choose(file('zoo.yaml', yaml('Zoo', '1.0.0')))
  await plan('Version 1.0.0 of "Animals" holds this document already.')
  expect(await on.page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
  await on.press('Choose another')
  await choose(file('bad.yaml', 'openapi: 3.1.0\ninfo: { title: Bad }\npaths: []\n'))
  const alert = on.page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.innerText()).toContain('This document cannot be imported as it is')
  await on.page.getByText('line 3:7').first().waitFor()
  expect(await on.page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
})

test('several documents that are dropped anywhere are listed with what becomes of each, then imported', async () => {
  await on.go('/t/local/-/import')
  await on.page.getByText('Drop files, a folder or an archive here').waitFor()
  const texts = { 'a.yaml': yaml('First', '1.0.0'), 'b.yaml': yaml('Second', '3.0.0') }
  await on.page.evaluate((files) => {
    const transfer = new DataTransfer()
    for (const [name, text] of Object.entries(files)) transfer.items.add(new File([text], name))
    const fire = (kind: string): boolean =>
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }))
    fire('dragenter')
    fire('dragover')
    fire('drop')
  }, texts)
  await on.press('Import 2 documents')
  await on.page.getByRole('link', { name: 'first 1.0.0' }).waitFor()
  await on.page.getByRole('link', { name: 'second 3.0.0' }).waitFor()
  await on.page.getByText('2 new').waitFor()
  expect(await slugs()).toEqual(['animals 2', 'bookshop 2', 'first 1', 'second 1'])
})

const overlay = (title: string, actions: string): string =>
  `overlay: 1.1.0\ninfo: { title: ${title}, version: 1.0.0 }\nactions:\n${actions}`
const names = () =>
  on.page
    .getByRole('list', { name: 'Overlays in their order' })
    .locator('li:has(button) p > .font-medium')
    .allInnerTexts()

test('overlays beside a document: what each changes, their order, why one is refused, and what the version keeps', async () => {
  await on.go('/t/local/-/import')
  const paths = "{ /cages: { get: { responses: { '200': { description: ok } } } } }"
  await choose(
    file('zoo.yaml', yaml('Cages', '1.0.0', paths)),
    file('title.yaml', overlay('Partners', '  - { target: $.info, update: { title: Pens } }\n')),
    file(
      'first.yaml',
      overlay('First', '  - { target: $.info, update: { title: Boxes } }\n  - { target: $.none, remove: true }\n'),
    ),
  )
  await plan('Creates the project "Boxes" with version 1.0.0.')
  await on.page.getByText('2 actions, 1 place, 1 action changes nothing').waitFor()
  expect(await on.faults()).toEqual([])
  await on.press('Apply first.yaml earlier')
  await plan('Creates the project "Pens" with version 1.0.0.')
  expect(await names()).toEqual(['first.yaml', 'title.yaml'])
  await on.press('Remove first.yaml')
  expect(await names()).toEqual(['title.yaml'])

  await on.press('Paste an overlay')
  await on.page
    .getByRole('textbox', { name: 'Overlay' })
    .fill(overlay('Bad', '  - { target: $.paths, update: text }\n'))
  await on.press('Apply the overlay')
  const alert = on.page.getByRole('alert')
  await alert.waitFor()
  expect(await alert.innerText()).toContain('pasted overlay:4:32: action 1 cannot be applied: /paths does not fit')
  expect(await on.faults()).toEqual([])
  expect(await on.page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0)
  await on.press('Remove pasted overlay')
  await plan('Creates the project "Pens" with version 1.0.0.')

  await on.press('Import')
  await on.page.getByRole('link', { name: 'Open pens 1.0.0' }).click()
  await on.page.getByRole('heading', { name: 'Origin' }).click()
  await on.page.getByText('title.yaml: 1 action, 1 place').waitFor()
  const version = await on.ask('GET', '/v1/tenants/local/projects/pens/versions/1.0.0')
  const { lineage } = version['provenance'] as { lineage: { overlays: { title: string; matches: number }[] } }
  expect(lineage.overlays.map(({ title, matches }) => [title, matches])).toEqual([['Partners', 1]])
})
