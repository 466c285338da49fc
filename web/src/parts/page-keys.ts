import { useEffect, useRef } from 'react'

/** Whether keys are letters of a text there; in a tick they are not. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.shadowRoot !== null || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox')

/** Keys of a page, such as j and k: they work from anywhere on it where nothing is typed and no dialog or menu is open. */
export const usePageKeys = (keys: Readonly<Record<string, () => void>>): void => {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.altKey || event.ctrlKey || event.metaKey || isTyping(event.target)) return
      if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null) return
      const press = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined
      if (press === undefined) return
      event.preventDefault()
      press()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
