import { addDecimals } from '../../../values/decimal.js';

/** Words for a sum, a count or an average. */
const words = `count average avg anzahl durchschnitt moyenne promedio total totals totale totali totales totalt totais totaux subtotal subtotals subtotale subtotaal grandtotal totaal
  totaalbedrag sum sums summe summa gesamt gesamtsumme gesamtbetrag zwischensumme endsumme somme suma soma razem ogółem celkem
  spolu összesen ukupno skupaj yhteensä toplam итого всего сума разом общо σύνολο 합계 총계 合計 総計 小計 合计 总计 小计 المجموع`;
const alternatives = toLetters(words).split(/\s+/).join('|');
/** A label of a sum: up to two words, then one of `words`, and no rest that makes it an id, such as `TOTAL-1001`. */
const label = new RegExp(String.raw`^\P{L}{0,9}(?:\p{L}+\.? ){0,2}(?:${alternatives})(?=$|[\s:(*=])`, 'u');
const labelAtMost = 64;

/** @returns true for a label of a sum, such as `Total EUR`, `Grand total` or `Summe:` */
export function isSumLabel(text: string): boolean {
  return label.test(toLetters(text.slice(0, labelAtMost)));
}

function toLetters(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Sums of the rows of a file so far. */
export interface RowSums {
  add(amount: string, isPaid: boolean): void;
  /**
   * @returns true if the amount is the sum of all rows, of the paid rows, or of either since the last sum, and at least
   * `rowsAtLeast` rows came before
   */
  isSum(amount: string, rowsAtLeast: number): boolean;
}

/** Creates the sums of a file's rows. */
export function createRowSums(): RowSums {
  const sums = { all: '0', paid: '0', allOfPart: '0', paidOfPart: '0' };
  let rows = 0;
  return {
    add(amount, isPaid) {
      rows++;
      for (const name of Object.keys(sums) as (keyof typeof sums)[])
        if (isPaid || name.startsWith('all')) sums[name] = addDecimals(sums[name], amount);
    },
    isSum(amount, rowsAtLeast) {
      if (rows < rowsAtLeast || Number(amount) === 0) return false;
      const isOne = Object.values(sums).some((sum) => Number(sum) === Number(amount));
      if (isOne) sums.allOfPart = sums.paidOfPart = '0';
      return isOne;
    },
  };
}
