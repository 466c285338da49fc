// SQL files are embedded as text: `import text from './x.sql' with { type: 'text' }`.
declare module '*.sql' {
  const text: string
  export default text
}
