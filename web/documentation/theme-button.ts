/** The switch of the theme in the frame of pages that have no application around them: a script adds it, since it does nothing without one. */
import { presentTheme, setTheme, type Theme } from '../src/theme.ts'

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const names: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' }

/** Puts a button at the end of the frame that goes through the themes. */
export const addThemeButton = (): void => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'theme'
  button.textContent = '◐'
  const say = (): void => {
    const now = presentTheme()
    button.setAttribute('aria-label', `Theme: ${names[now]}. Change to ${names[next[now]]}`)
    button.title = `Theme: ${names[now]}`
  }
  button.addEventListener('click', () => {
    setTheme(next[presentTheme()])
    say()
  })
  say()
  document.querySelector('.frame')?.append(button)
}
