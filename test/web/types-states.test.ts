/** What the pages of types say in each state, and what they offer to which role. */
import { expect, test } from 'bun:test'
import { SvcError } from '../../src/errors.ts'
import { accessibilityFailures } from '../fixtures/browser.ts'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()
const registry = '/app/t/acme/-/types'
const rows = () => on.page.getByRole('list', { name: 'Types' }).getByRole('heading').allInnerTexts()
const listed = () => on.page.getByRole('list', { name: 'Types' }).waitFor()

test('the registry has tabs with counts, filters in its address, and pages to go forward and back', async () => {
  await on.go(registry)
  await listed()
  const scopes = on.page.getByRole('group', { name: 'Scope' }).getByRole('button')
  expect((await scopes.allInnerTexts()).map((it) => it.replaceAll(/\s+/g, ' '))).toEqual([
    'All 5',
    'Custom 2',
    'Imported 1',
    'Core 1',
    'Standard 1',
  ])
  expect(await rows()).toEqual(['Price', 'Old'])
  await on.page.getByRole('link', { name: 'Next page' }).click()
  await on.page.getByRole('link', { name: 'Invoice' }).waitFor()
  expect(await rows()).toEqual(['Invoice', 'Money'])
  expect(on.address()).toEndWith('?cursor=from2')
  await on.page.goBack()
  await on.page.getByRole('link', { name: 'Price', exact: true }).waitFor()
  await on.press(/^Custom/)
  await on.page.waitForURL(/scope=custom/)
  await on.page.getByRole('searchbox', { name: 'Search types' }).fill('imprecise nothing')
  await on.heading('No matches')
  await on.press('Clear search')
  await listed()
  expect(on.address()).toBe(registry)
  await on.page.getByRole('combobox', { name: 'Namespace' }).selectOption('core')
  await on.page.waitForURL(/namespace=core/)
  await on.page.getByText('svc:core/Money', { exact: true }).waitFor()
  await on.page.waitForFunction(() => document.querySelectorAll('[aria-label=Types] > li').length === 1)
  expect(await rows()).toEqual(['Money'])
  expect(await accessibilityFailures(on.page, [], 'main')).toEqual([])
})

test('a cursor that is not accepted leads back to the first page; a registry that cannot be read says why', async () => {
  on.fake.state.refusals.set('primitives.list', new SvcError('cursor-invalid'))
  await on.go(`${registry}?cursor=old`)
  await on.heading('This page of the list is no longer there')
  on.fake.state.refusals.set('primitives.list', new SvcError('internal', { request_id: 'r1' }))
  await on.press('Go to the first page')
  await on.page.getByText('The tables of the registry are missing').waitFor()
  await on.page.getByText('It reports: no such table: primitives', { exact: false }).waitFor()
  on.fake.state.refusals.clear()
  await on.press('Try again')
  await listed()
  expect(await on.page.getByText('The tables of the registry are missing').count()).toBe(0)
})

test('a viewer reads everything and is offered nothing that is refused', async () => {
  on.fake.state.role = 'viewer'
  const offered = async () =>
    (await on.page.locator('main').getByRole('button').or(on.page.locator('main').getByRole('link')).allTextContents())
      .map((it) => it.trim())
      .filter((it) => /…|^Create|^Edit|^More|^Delete/.test(it))
  await on.go(registry)
  await listed()
  expect(await offered()).toEqual([])
  await on.page.getByRole('link', { name: 'Price', exact: true }).click()
  await on.page.getByText('Changing types needs the role', { exact: false }).waitFor()
  expect(await offered()).toEqual([])
  await on.page.getByRole('link', { name: 'Usage', exact: true }).click()
  await on.page.getByRole('table', { name: 'Types that refer to it' }).waitFor()
  expect(await offered()).toEqual([])
  await on.go(`${registry}/unresolved`)
  await on.page.getByText('1 reference of 1 type is unresolved.', { exact: false }).waitFor()
  expect(await offered()).toEqual([])
  for (const path of ['new', 'imports/new', 'id-Price/edit']) {
    await on.go(`${registry}/${path}`)
    await on.heading("You don't have access")
  }
  await on.go(`${registry}/id-Price?dialog=delete`)
  await on.heading('Refer to it')
  expect(await on.page.getByRole('dialog').or(on.page.getByRole('alertdialog')).count()).toBe(0)
})

test('a type shows its schema as text only, links its references, and says what finds nothing', async () => {
  await on.go(`${registry}/id-Price`)
  await on.page.getByText('1 reference of this type is unresolved').waitFor()
  await on.page.getByText('A price <img src=x onerror=alert(1)>').waitFor()
  expect(await on.page.locator('main img').count()).toBe(0)
  const address = new URL(on.page.url()).origin
  await on.page.getByText(`${address}/v1/types/acme/acme/money/Price`, { exact: true }).waitFor()
  await on.page.getByText('svc:acme/money/Price@2', { exact: true }).waitFor()
  await on.page.getByRole('group', { name: 'Example 1' }).waitFor()
  await on.page.getByRole('link', { name: 'svc:core/Money' }).click()
  await on.page.getByText('It is read-only and changes with the version of svc.', { exact: false }).waitFor()
  expect(on.address()).toBe(`${registry}/svc%3Acore%2FMoney`)
  await on.page.getByRole('link', { name: 'Replace with your own …' }).waitFor()
  await on.page.getByRole('link', { name: 'Revisions', exact: true }).click()
  await on.heading('No revisions')
  await on.go(`${registry}/${encodeURIComponent('svc:core/Money')}/edit`)
  await on.heading('This type is read-only')
})

test('a deprecated type leads to its replacement, and the mark can be taken back', async () => {
  await on.go(`${registry}/id-Old`)
  await on.page.getByText('Too imprecise.').waitFor()
  await on.press('More')
  await on.page.getByRole('menuitem', { name: 'Change the deprecation …' }).press('Enter')
  await on.press('Withdraw the deprecation')
  await on.closed('Deprecate Old')
  expect(on.sent('primitives.deprecate')).toEqual([{ message: null }])
  await on.page.getByRole('link', { name: 'svc:acme/money/Price' }).click()
  await on.heading('Price')
  expect(on.address()).toBe(`${registry}/id-Price`)
  await on.go(`${registry}/find?ref=svc:acme/money/Lost`)
  await on.heading('No type has this reference')
})

test('a type that is used cannot be deleted and names its users; another one is deleted after a question', async () => {
  await on.go(`${registry}/id-Price`)
  await on.heading('Refer to it')
  await on.press('More')
  await on.page.getByRole('menuitem', { name: 'Delete …' }).press('Enter')
  await on.page.getByText('1 type and 1 published version use it', { exact: false }).waitFor()
  const users = on.page.getByRole('list', { name: 'Users' }).getByRole('link')
  expect(await users.allInnerTexts()).toEqual(['svc:acme/money/Invoice', 'train-travel 1.1.0'])
  expect(on.sent('primitives.delete')).toEqual([])
  await on.press('Deprecate instead …')
  await on.heading('Deprecate Price')
  await on.go(`${registry}/id-Old?dialog=delete`)
  await on.page.getByText('1 draft will have unresolved references:').waitFor()
  const drafts = on.page.getByRole('list', { name: 'Drafts that use it' }).getByRole('listitem')
  expect(await drafts.allInnerTexts()).toEqual(['train-travel 2.0.0'])
  await on.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await listed()
  expect(on.address()).toBe(registry)
  expect(on.sent('primitives.delete').length).toBe(1)
})

test('the palette finds types by name and reference', async () => {
  await on.go('/app/t/acme')
  await on.heading('Projects')
  await on.keys('Control+k')
  await on.page.keyboard.type('money/pri')
  await on.page.getByRole('option', { name: /^Price/ }).waitFor()
  await on.keys('Enter')
  await on.heading('Refer to it')
  expect(on.address()).toBe(`${registry}/id-Price`)
})

test('a source is staged as it is given: from git with its branch, or as a file whose kind is recognized', async () => {
  await on.go(`${registry}/imports/new?from=git`)
  await on.page.getByLabel('Repository').fill('https://git.example.com/acme/types.git')
  await on.page.getByLabel('File', { exact: true }).fill('schemas/money.json')
  await on.page.getByLabel('Branch, tag or commit (optional)').fill('next')
  await on.page.getByLabel('Read with (optional)').selectOption('ac1')
  await on.press('Review the types')
  await on.heading('Review the types')
  await on.go(`${registry}/imports/new`)
  await on.page.locator('input[type=file]').setInputFiles({
    name: 'api.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from('openapi: 3.1.0\n'),
  })
  await on.page.getByRole('button', { name: 'Remove api.yaml' }).waitFor()
  expect(await on.page.getByRole('radio', { name: /^OpenAPI/ }).isChecked()).toBe(true)
  await on.press('Review the types')
  await on.heading('Review the types')
  expect(on.sent('primitives.stage')).toEqual([
    {
      source_kind: 'json-schema',
      method: 'git',
      repo_url: 'https://git.example.com/acme/types.git',
      path: 'schemas/money.json',
      ref: 'next',
      linked_account_id: 'ac1',
    },
    { source_kind: 'openapi', method: 'file', content: 'openapi: 3.1.0\n', filename: 'api.yaml' },
  ])
  const outcome = on.page.getByText('3 types: 0 created, 1 with a new revision, 1 unchanged, 1 left out')
  await outcome.waitFor()
  await on.press('Keep')
  await on.page.getByText('3 types: 0 created, 0 with a new revision, 2 unchanged, 1 left out').waitFor()
  await on.press('As recommended')
  await outcome.waitFor()
  for (const name of ['Price', 'Old', 'Fresh']) await on.page.getByRole('checkbox', { name }).uncheck()
  await on.page.getByText('Select at least one type.').waitFor()
  expect(await on.page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
})
