/** Comments that are being written, by what they are about: a part of the source that leaves the screen is not drawn any more. */
const unsent = new Map<string, string>()

export const unsentText = (about: string): string => unsent.get(about) ?? ''

/** Keeps what is written until it is sent; an empty text is forgotten. */
export const keepUnsent = (about: string, text: string): void => {
  if (text === '') unsent.delete(about)
  else unsent.set(about, text)
}
