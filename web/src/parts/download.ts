import { useMutation, type UseMutationResult } from '@tanstack/react-query'

/** A file to be made: its name, its media type, and what brings its text. */
export interface Download {
  readonly name: string
  readonly type: string
  readonly read: () => Promise<string>
}

/** Hands a text to the browser as a file. */
const save = (name: string, text: string, type: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Fetches a text and saves it as a file. */
export const useDownload = (): UseMutationResult<void, unknown, Download> =>
  useMutation({ mutationFn: async ({ name, type, read }: Download) => save(name, await read(), type) })
