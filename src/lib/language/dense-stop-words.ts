/**
 * Words of dense scripts that say nothing about a topic, as `denseWords` finds them: for PostgreSQL, which has no stop
 * words for these languages. They are neither indexed nor required, unless a query has no others.
 */

const listed = (words: string): string[] => words.split(/\s+/);

export const DENSE_ASKING: ReadonlySet<string> = new Set(
  listed(
    `什么 什麼 谁 誰 怎么 怎麼 怎样 怎樣 如何 哪 哪个 哪個 哪些 哪里 哪裡 多少 几 幾 多久 多长 多長 为什么 為什麼 为何 為何 何时 何時
     什么时候 什麼時候 多少钱 多少錢 几天 幾天 几个 幾個 吗 嗎 呢 點解 邊個 幾時 乜嘢
     何 いつ どこ なぜ どう どの どれ どれくらい どんな どちら いくら いくつ だれ
     누가 누구 언제 어디 무엇 뭐 뭔 왜 어떻게 얼마 얼마나 몇 며칠 어느 어떤 무슨
     ใคร อะไร ทำไม อย่างไร ยังไง ที่ไหน ไหน ไหม มั้ย กี่ เท่าไหร่ เท่าไร เมื่อไหร่ เมื่อไร ไหร่ เปล่า`,
  ),
);

const CHINESE = `的 了 着 着 过 地 得 是 在 和 与 與 及 或 也 都 就 还 還 又 很 把 被 给 給 对 對 向 从 從 到 为 為 以 于 於 等 这 這 那 这个
  這個 那个 那個 这些 這些 那些 我 你 您 他 她 它 我们 我們 你们 你們 他们 他們 大家 有 没 沒 没有 沒有 不 会 會 能 可以 要 想 说 說 讲 講 提到
  谈到 談到 吧 啊 呀 嘛 哦 嗯 一个 一個 一下 一些 关于 關於 因为 因為 所以 但 但是 如果 而且 然后 然後 之 个 個 上 下 里 裡 中 让 讓 比 来 來 去
  嘅 咗 喺 係 唔 啲 嗰 佢 冇 我哋 你哋 佢哋 哋`;
/** Those of more than two hiragana; all shorter ones say nothing either. */
const JAPANESE = `ですが なので しょう まして ありま いたい ことに どうし かかり られる ました ません ましょう でした でしょう される された ください くださ について に関する における によって という として
  ため ところ そして しかし または および それ これ あれ ここ そこ その この あの ほしい ほど まで から など より だけ ので のに けど くらい ぐらい
  いただき いただく ありがとう お願い いたし おり なり なる なっ ある あり いる ない なく いう いっ 言 話 方 的 等 様 さん`;
const KOREAN = `이 그 저 것 거 수 등 및 또는 그리고 하지만 그런데 그럼 우리 저희 제 내 나 네 예 아니 아니요 있습 있 없 있는 없는 있습니다 없습니다 있나요
  합니다 입니다 때문 위해 대한 대해 대해서 관한 관련 하기 했습니다 되 하 한 할 해 더 또 이번 말 말했 말씀 얘기 이야기 가능`;
const THAI = `ที่ และ ของ ใน ให้ ได้ ไป มา เป็น มี จะ ก็ แล้ว แต่ กับ หรือ ว่า ไม่ นี้ นั้น นะ ครับ ค่ะ คะ คือ ซึ่ง อยู่ ต้อง ยัง ถึง จาก โดย เพื่อ
  ถ้า เรา ผม ฉัน ดิฉัน คุณ เขา การ ความ ด้วย อีก แค่ เลย เอง กัน ทุก ตาม เมื่อ เพราะ เท่า พูด บอก กล่าว ๆ ฯ`;

const STOP: ReadonlySet<string> = new Set([
  ...DENSE_ASKING,
  ...[CHINESE, JAPANESE, KOREAN, THAI].flatMap(listed),
]);
const SHORT_HIRAGANA = /^[ぁ-ゖー]{1,2}$/u;

export const isDenseStopWord = (word: string): boolean => STOP.has(word) || SHORT_HIRAGANA.test(word);
