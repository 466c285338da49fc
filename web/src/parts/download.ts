import { useMutation, type UseMutationResult } from '@tanstack/react-query'

/** A file to be made: its name, its media type, and what brings its text. */
export interface Download {
  readonly name: string
  readonly type: string
  readonly read: () => Promise<string>
}

/** Hands a file to the browser, which saves it. */
export const saveFile = (name: string, file: Blob): void => {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Fetches a text and saves it as a file. */
export const useDownload = (): UseMutationResult<void, unknown, Download> =>
  useMutation({
    mutationFn: async ({ name, type, read }: Download) => saveFile(name, new Blob([await read()], { type })),
  })
