import { catalogue, type Code } from '../../src/errors.ts'
import { browserHint } from '../src/parts/error-hint.ts'

/** The sentences of a refusal: what the service said, and what to do about it. Takes any answer that is not a success. */
export const readRefusal = async (answer: Response): Promise<{ message: string; hint: string }> => {
  const body = (await answer.json().catch(() => null)) as { detail?: { code?: unknown; message?: unknown } } | null
  const detail = body?.detail
  const code = typeof detail?.code === 'string' && detail.code in catalogue ? (detail.code as Code) : null
  return {
    message: typeof detail?.message === 'string' ? detail.message : `The service answered ${answer.status}.`,
    hint: code === null ? 'Reload the page. If the error stays, check the log of the service.' : browserHint(code),
  }
}
