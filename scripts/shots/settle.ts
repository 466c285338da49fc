import type { Page } from 'playwright-core'

/** Waits until a page of the application has its heading and every answer that it asked for. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page
    .getByText(/^Loading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
}
