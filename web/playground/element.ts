/** Makes elements. Texts become text nodes: nothing of a document is ever HTML here. */

type Child = Node | string | null

interface Properties {
  readonly class?: string
  readonly title?: string
  readonly [attribute: `aria-${string}` | `data-${string}`]: string
}

/** An element with attributes and children; null children are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties & Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(properties)) made.setAttribute(key, value)
  made.append(...children.filter((child) => child !== null))
  return made
}

/** A button that does something. */
export function button(label: string, act: () => void, properties: Readonly<Record<string, string>> = {}) {
  const made = element('button', { type: 'button', ...properties }, label)
  made.addEventListener('click', act)
  return made
}

/** A list of choices with a label before it. */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  act: (value: string) => void,
) {
  const select = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)))
  select.addEventListener('change', () => act(select.value))
  return { field: element('label', { class: 'choice' }, element('span', {}, label), select), select }
}
