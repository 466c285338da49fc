import { type Change, useChange } from './form.tsx'

/** Hands a text to the browser as a file. */
const save = (name: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Fetches a text and saves it: the change says whether it is under way and what became of it. */
export const useDownload = (): Change<[name: string, type: string, read: () => Promise<string>]> =>
  useChange(async (name: string, type: string, read: () => Promise<string>) => save(name, await read(), type))
