/** One person's way from a duplicated guide to one that governs, and back, on the real service. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { openReal, type Real } from '../fixtures/web/real.ts'

setDefaultTimeout(60_000)

let on: Real
beforeAll(async () => {
  on = await openReal()
}, 60_000)
afterAll(() => on.close())

const tab = (name: string): Promise<void> =>
  on.page.getByRole('navigation', { name: 'Views of this guide' }).getByRole('link', { name, exact: true }).click()
const says = (text: string | RegExp): Promise<void> => on.page.getByText(text).first().waitFor()
const status = (text: string | RegExp): Promise<void> =>
  on.page.getByRole('status').filter({ hasText: text }).first().waitFor()

/** Replaces the text of the editor, as by typing. */
const write = async (text: string): Promise<void> => {
  await on.page.getByRole('textbox', { name: 'Custom rules' }).click()
  await on.page.keyboard.press('Control+a')
  await on.page.keyboard.insertText(text)
}

/** How many rules the head of the guide says are on, of how many. */
const rulesOn = async (): Promise<readonly [on: number, total: number]> => {
  const text = await on.page.getByText(/^[\d,]+ of [\d,]+ rules enabled/).innerText()
  const [first, total] = [...text.matchAll(/\d+/g)].map(Number)
  return [first ?? 0, total ?? 0]
}
let begun: readonly [on: number, total: number] = [0, 0]

const rules = (functionName: string) => `rules:
  title-says-api:
    description: The title says API
    given: $.info.title
    severity: error
    then:
      function: ${functionName}
      functionOptions: { match: API$ }
`

test('a guide begins as a duplicate, and a builtin one offers that instead of a change', async () => {
  await on.go('/t/local/-/style-guides/svc-recommended?q=info-contact')
  await on.heading('info-contact (opens in a new tab)')
  expect(await on.page.getByRole('switch').count()).toBe(0)
  await on.press('Duplicate …')
  await on.page.getByRole('dialog', { name: 'Duplicate svc:recommended' }).waitFor()
  await on.page.getByLabel('Name').fill('House')
  await on.press('Create')
  await on.heading('House')
  await status(/^\d+ rules, \d+ enabled$/)
  begun = await rulesOn()
})

test('a rule is turned off and changes severity, at once and permanently', async () => {
  await on.page.getByRole('searchbox', { name: 'Search rules' }).fill('info-contact')
  await on.page.getByRole('switch', { name: 'On: info-contact' }).click()
  await on.page.getByRole('switch', { name: 'Off: info-contact' }).waitFor()
  // The page shows the choice at once; what a reload shows is what the service took.
  const taken = on.page.waitForResponse((it) => it.request().method() === 'PUT' && it.ok())
  await on.page.getByLabel('Severity of info-contact').selectOption('hint')
  await taken
  await says(`${begun[0] - 1} of ${begun[1]} rules enabled`)
  await on.page.reload()
  expect(await on.page.getByRole('switch', { name: 'Off: info-contact' }).getAttribute('aria-checked')).toBe('false')
  expect(await on.page.getByLabel('Severity of info-contact').inputValue()).toBe('hint')
})

test('custom rules: an error at its line, a preview, an unsaved text that is not lost, and saving', async () => {
  await tab('Custom rules')
  await on.page.getByRole('combobox', { name: 'Project' }).click()
  await on.page.getByRole('option', { name: /Bookshop/ }).click()
  await write(rules('nope'))
  const problem = on.page.getByRole('alert').filter({ hasText: '1 problem' })
  await problem.getByText('/rules/title-says-api/then/function').waitFor()
  expect(await on.page.locator('.cm-lint-marker-error').count()).toBe(1)
  expect(await on.page.getByRole('button', { name: 'Save rules' }).isDisabled()).toBe(true)
  await problem.getByRole('button', { name: 'line 7:17' }).click()
  await on.page.keyboard.press('F8')

  await write(rules('pattern'))
  const finding = on.page.getByRole('region', { name: 'Findings of the preview' })
  await finding.getByText('The title says API').waitFor()
  expect(await finding.locator('mark').innerText()).toContain('Bookshop')
  await status(/100\.0\s*→/)
  await on.press('new 1')

  await tab('Snapshots')
  await on.page.getByRole('alertdialog', { name: 'Discard your changes?' }).waitFor()
  await on.press('Cancel')
  await on.press('Save rules')
  await status('Saved, 1 custom rule')
  await says(`${begun[0]} of ${begun[1] + 1} rules enabled`)
})

test('a project gets the guide, and its lint report says so', async () => {
  await tab('Assignments')
  await on.press('Assign bookshop')
  await on.press('Use the default bookshop')
  await on.page.getByRole('button', { name: 'Assign bookshop' }).waitFor()
  // Many at once: those that are ticked.
  await on.page.getByRole('checkbox', { name: 'Select bookshop' }).check()
  await says('1 selected')
  await on.press('Assign House to 1 project')
  await status('1 project changed.')
  await says('assigned')
  await on.go('/t/local/bookshop/2.0.0/findings')
  await says(/Style guide House: 1 error/)
  await on.heading('title-says-api')
  expect(await on.page.getByRole('region', { name: 'Findings' }).locator('mark').innerText()).toContain('Bookshop')
  await on.page.getByRole('link', { name: /^In the style guide/ }).click()
  await tab('Impact')
  await on.press('Calculate the impact')
  await status('1 version linted, no grade would change')
  await on.press('every version')
  await says('Lints 2 versions under this guide.')
  await on.press('Calculate the impact')
  await status('2 versions linted, no grade would change')
  // What was calculated is there after a reload, until guides or versions change.
  await on.page.reload()
  await status('2 versions linted, no grade would change')
  await on.press('Lint versions again …')
  await on.page.getByRole('dialog', { name: 'Lint versions again?' }).waitFor()
  await on.press('Lint again')
  await status('2 versions linted again, ')
})

test('a policy is changed field by field, approvals included', async () => {
  await tab('Policy')
  await on.heading('Publishing gates')
  expect(await on.page.getByRole('radio', { name: /^Approve/ }).count()).toBe(1)
  expect(await on.page.getByLabel('How many approvals').inputValue()).toBe('1')
  expect(await on.page.getByLabel('Publishing needs approvals').isChecked()).toBe(false)
  await on.page.getByRole('radio', { name: /^Block / }).check()
  await on.press('Save the policy')
  await status(/^Saved/)
  await tab('Snapshots')
  await on.press('Create snapshot')
  await says('Snapshot 1')
  await tab('Policy')
  await on.page.getByRole('radio', { name: /^Warn / }).check()
  await on.press('Save the policy')
  await status(/^Saved/)
  await on.page.reload()
  await on.heading('Publishing gates')
  expect(await on.page.getByRole('radio', { name: /^Warn / }).isChecked()).toBe(true)
})

test('review rules are added, refused where no one could satisfy them, and removed', async () => {
  await tab('Policy')
  await on.heading('Review rules')
  await on.press('Add a review rule')
  await on.page.getByLabel('Path prefix').fill('/billing')
  await on.page.getByLabel('Breaking changes only').check()
  await on.press('Save the policy')
  await on.page.getByText('Review rule 1 cannot be used: it names no one', { exact: false }).waitFor()
  await on.page.getByLabel('Or members of the role').selectOption('owner')
  await on.press('Save the policy')
  await status(/^Saved/)
  await on.page.reload()
  expect(await on.page.getByLabel('Path prefix').inputValue()).toBe('/billing')
  expect(await on.page.getByLabel('Breaking changes only').isChecked()).toBe(true)
  await on.press('Remove rule 1')
  await on.press('Save the policy')
  await status(/^Saved/)
  await on.page.getByText('No review rules.').waitFor()
})

test('two snapshots and what changed between them', async () => {
  await tab('Snapshots')
  await on.press('Create snapshot')
  await status('From snapshot 1 to snapshot 2: 0 rules and 1 policy setting changed')
  const change = on.page.locator('dl').filter({ hasText: 'breaking changes' })
  expect((await change.innerText()).replaceAll(/\s+/g, ' ')).toBe('breaking changes before: block → after: warn')
})

test('deleting it says what goes with it, and the project has the default again', async () => {
  await on.press('More')
  await on.page.getByRole('menuitem', { name: 'Delete …' }).click()
  const dialog = on.page.getByRole('alertdialog', { name: 'Delete House?' })
  await dialog.getByText('1 project loses its assignment (bookshop)').waitFor()
  await dialog.getByRole('button', { name: 'Delete the guide' }).click()
  await on.heading('Custom guides')
  expect(await on.page.getByRole('link', { name: 'House' }).count()).toBe(0)
  await on.go('/t/local/bookshop/2.0.0/findings')
  await on.heading('No findings')
  expect(on.conduct.foreign).toEqual([])
  expect(on.conduct.violations).toEqual([])
  // A refused ruleset is an answer of the service, which the console shows by itself.
  expect(on.conduct.errors.filter((it) => !it.includes('422'))).toEqual([])
})
