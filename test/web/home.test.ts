/** The first page of an organization, and grades that are being calculated again. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

test('counts lead to lists, items to where something is done about them; the first steps are dismissed for good', async () => {
  await on.go('/app/')
  await on.heading('Needs attention')
  expect(on.address()).toBe('/app/t/acme/-/home')
  const card = (name: string) => on.page.getByRole('heading', { level: 3, name }).getByRole('link').getAttribute('href')
  expect([
    await card('1 Blocked drafts'),
    await card('1 Breaking drafts'),
    await card('12 Grades that fell or miss the policy'),
    await card('1 Gateways that stopped reporting'),
    await card('1 Sunsets within 30 days'),
  ]).toEqual([
    '/app/t/acme/-/home?show=blocked',
    '/app/t/acme/-/home?show=breaking',
    '/app/t/acme/-/home?show=grades',
    '/app/t/acme/-/gateway',
    '/app/t/acme/-/home?show=sunsets',
  ])
  const inbox = on.page.getByRole('region', { name: 'Inbox' })
  expect(await inbox.getByRole('link', { name: 'All 6' }).getAttribute('href')).toBe('/app/t/acme/-/inbox')
  const counted = await on.page.getByText(/^As of /).innerText()
  expect(counted.replace(/As of .*, over/, 'As of TIME, over')).toBe(
    'As of TIME, over 1,016 projects. 512 drafts without a published version are not checked: only the 500 that changed last are.',
  )
  expect(await on.page.getByText(/^None:/).count()).toBe(0)
  const sentences = on.page.getByRole('list', { name: 'Activity' }).getByRole('listitem').locator('p:first-child')
  expect(await sentences.allInnerTexts()).toEqual([
    'Ada Lovelace published Train Travel API 1.1.0 breaking',
    'Key "pipeline" imported Train Travel API 1.1.0 and 3 others',
  ])
  await on.press('Dismiss')
  await on.page.getByRole('region', { name: 'First steps' }).waitFor({ state: 'detached' })
  await on.page.reload()
  await on.heading('Needs attention')
  expect(await on.page.getByRole('region', { name: 'First steps' }).count()).toBe(0)
  await on.page.getByRole('link', { name: /Grades that fell/ }).focus()
  await on.keys('Enter')
  await on.heading('Grades that fell or miss the policy')
  await on.page.getByText('1.1.0 had B; the policy asks for B').waitFor()
})

test('while grades are being calculated again a version shows none, then the new one', async () => {
  const answers = [{ items: [{ project_id: null, done: 3, total: 40 }] }, { items: [] }]
  await on.page.route('**/_app/tenants/acme/grading', (route) =>
    route.fulfill({ json: answers.length > 1 ? answers.shift() : answers[0] }),
  )
  await on.go('/app/t/acme/train-travel/2.0.0/operations')
  await on.page.getByText('grade is being recalculated').waitFor()
  expect(await on.page.getByTitle(/^Lint grade/).count()).toBe(0)
  await on.page.getByText('grade is being recalculated').waitFor({ state: 'detached' })
  expect(await on.page.getByTitle(/^Lint grade/).count()).toBe(1)
  // What is shown was read again: the version once at first, and once for its new grade.
  expect(on.sent('versions.get').length).toBe(2)
})
