/** What a portal does in the browser: it copies texts and narrows the list at once. Everything else works without. */
import { addThemeButton } from '../documentation/theme-button.ts'
import { copyText } from '../src/parts/copy-text.ts'

addThemeButton()

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const name = button.textContent
  button.hidden = false
  button.addEventListener('click', () => {
    const field = document.getElementById(button.dataset['copy'] ?? '')
    if (!(field instanceof HTMLTextAreaElement)) return
    const say = (text: string): void => {
      button.textContent = text
      setTimeout(() => (button.textContent = name), 2000)
    }
    copyText(field.value).then(
      () => say('Copied'),
      () => {
        field.select()
        say('Selected: copy it with your keyboard')
      },
    )
  })
}

for (const choice of document.querySelectorAll<HTMLSelectElement>('form[role="search"] select'))
  choice.addEventListener('change', () => choice.form?.requestSubmit())
