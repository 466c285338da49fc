import type { Page } from 'playwright-core'
import { signIn } from '../queue.ts'

const email = 'bench@example.test'
const password = 'correct horse battery staple'

export interface LargeDocument {
  readonly name: string
  readonly path: string
}

/**
 * Makes the versions of the project `large`: every document is published as n.0.0, and the first of them is once more the draft
 * that comes after all of them. Gives their labels, the draft's last.
 */
export async function fill(
  url: string,
  env: Record<string, string>,
  documents: readonly LargeDocument[],
): Promise<readonly string[]> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${await signIn(env, url)}` }
  const labels: string[] = []
  for (const { name, path } of [...documents, ...documents.slice(0, 1)]) {
    const label = `${labels.length + 1}.0.0`
    const body = JSON.stringify({
      version: label,
      project_slug: 'large',
      project_name: 'Large API',
      ...(labels.length < documents.length ? { publish: 'public', force: true, force_reason: 'measured' } : {}),
      source: { kind: 'inline', name, content: await Bun.file(path).text() },
    })
    const begun = await fetch(`${url}/v1/tenants/local/imports`, { method: 'POST', headers, body })
    let job = (await begun.json()) as { job_id: string; finished_at: string | null; status: string }
    while (job.finished_at === null)
      job = (await (await fetch(`${url}/v1/imports/${job.job_id}?wait=20`, { headers })).json()) as typeof job
    if (job.status === 'failed') throw new Error(`the import of ${name} failed: ${JSON.stringify(job)}`)
    labels.push(label)
  }
  return labels
}

/** Signs the browser in as who imported the documents. */
export async function signInPage(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/app/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}
