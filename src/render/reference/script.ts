/** The script of the page: search, themes, and opening what a link leads to. It writes texts alone. */
export const script = `'use strict'
;(() => {
  const root = document.documentElement
  const themes = ['system', 'light', 'dark']
  const button = document.getElementById('theme')
  let theme = 'system'
  try { theme = localStorage.getItem('reference-theme') || 'system' } catch {}
  const apply = () => {
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
    button.textContent = 'Theme: ' + theme
  }
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]
    try { localStorage.setItem('reference-theme', theme) } catch {}
    apply()
  })
  apply()
  const menu = document.getElementById('menu')
  const narrow = matchMedia('(max-width: 800px)')
  if (narrow.matches) menu.open = false
  menu.addEventListener('click', (event) => {
    if (narrow.matches && event.target.closest('a')) menu.open = false
  })
  const search = document.getElementById('search')
  const found = document.getElementById('found')
  const entries = [...menu.querySelectorAll('li')]
  const groups = [...menu.querySelectorAll('details')]
  const wasOpen = groups.map((it) => it.open)
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
    let count = 0
    for (const it of entries) {
      it.hidden = !words.every((word) => it.dataset.words.includes(word))
      if (!it.hidden) count++
    }
    groups.forEach((it, index) => {
      const has = [...it.querySelectorAll('li')].some((one) => !one.hidden)
      it.hidden = !has
      it.open = words.length > 0 ? has : wasOpen[index]
    })
    found.textContent = words.length === 0 ? '' : count + (count === 1 ? ' result' : ' results')
  })
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    const first = entries.find((it) => !it.hidden)
    if (first) first.querySelector('a').click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input')) return
    event.preventDefault()
    menu.open = true
    search.focus()
  })
  const show = () => {
    for (const it of menu.querySelectorAll('a[aria-current]')) it.removeAttribute('aria-current')
    const link = entries.map((it) => it.querySelector('a')).find((it) => it.getAttribute('href') === location.hash)
    if (link) link.setAttribute('aria-current', 'true')
  }
  addEventListener('hashchange', show)
  show()
})()
`
