/** Copies by way of a selected field: the only way on plain http, where browsers offer no clipboard. */
const copySelected = (text: string): boolean => {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.className = 'fixed top-0 left-0 opacity-0'
  const focused = document.activeElement
  // A modal dialog takes the focus back from everything outside of it.
  const host = focused?.closest('[role=dialog], [role=alertdialog]') ?? document.body
  host.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/**
 * Puts a text on the clipboard.
 * @throws Error where the browser allows it in no way; its message says what to do instead.
 */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  if (!copySelected(text)) throw new Error('The browser does not allow copying here. Select the text and copy it.')
}

/** The same for a text that is fetched first. */
export const copyLater = async (read: () => Promise<string>): Promise<void> => {
  // Some browsers accept only a write that starts within the click event itself.
  if (navigator.clipboard === undefined) return copyText(await read())
  const blob = read().then((it) => new Blob([it], { type: 'text/plain' }))
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
}
