import type { RuleId } from './table.ts';

/** Words of one language that together say something a model must not be told. Stems, so that endings do not matter. */
interface Tongue {
  readonly ignore: string;
  readonly told: string;
  readonly before: string;
  readonly not: string;
  readonly tell: string;
  readonly user: string;
  readonly send: string;
  readonly secret: string;
  readonly fetch: string;
  readonly follow: string;
}

const anySecret = String.raw`\.env\b|~/[\w.]|\.ssh|id_rsa|\.aws|\.npmrc|\.netrc|\.kube|api[ -]?key|token|credential|wallet`;

/** German, French, Spanish, Portuguese, Italian, Dutch, Polish, Russian, Ukrainian, Turkish, Chinese, Japanese, Korean, Arabic, Hindi, Vietnamese, Indonesian, Swedish, Czech. */
const tongues: readonly Tongue[] = (
  [
    'ignorier|vergiss|vergesst|missacht|verwirf|setze? dich .*hinweg / anweisung|instruktion|regeln|vorgaben|richtlinien|systemprompt / vorherig|bisherig|obig|früher|vorangegang|vorig|ursprünglich|alle|system / nicht|niemals|\\bnie\\b|ohne|nichts|keinesfalls / sag|erwähn|verrat|mitteil|informier|erzähl|merk|erfahr|wissen / nutzer|anwender / send|schick|übertrag|übermittel|lade? .*hoch|weiterleit / schlüssel|passw|geheim|zugangsdat|umgebungsvariabl / \\blad|\\bhol|\\bruf|öffne|\\blies|besuch / befolg|\\bfolge|führe .*aus|halte dich an|gehorch',
    "ignor|oubli|néglige|fais abstraction / instruction|consigne|règles|directives / précédent|antérieur|ci-dessus|toutes|système|initiales / \\bne\\b|\\bn[’']|sans|jamais / dis\\b|dire|dites|informe|mentionne|révèle|préviens|prévenir|avertir|sache / utilisat / envoi|envoy|transmet|téléverse|poste / clé|mot de passe|secret|identifiants|variables d[’']environnement / télécharg|récupèr|charge|lis\\b|lire|ouvre|consulte|visite / \\bsui[ts]|suivez|exécut|appliqu|obéi",
    'ignor|olvid|descart|haz caso omiso / instruccion|reglas|directrices|indicacion / anterior|previ|todas|sistema|arriba / \\bno\\b|sin|nunca|jamás / dig|decir|informe|informar|mencion|cuent|revel|avis|sepa|notific / usuari / envía|envia|enví|mand|sube|transmit|reenví / clave|contraseña|secreto|credencial|variables de entorno / descarg|obtén|obten|carga|lee\\b|leer|abre|visita|consulta / sigue|sigu|ejecut|obedec|cumpl|aplica',
    'ignor|esqueç|desconsider|desprez|descart / instruç|regras|diretrizes|orientaç / anterior|prévi|todas|sistema|acima / não|sem|nunca|jamais / dig|dizer|inform|mencion|cont[ea]|revel|avis|saiba|notific / usuári|utilizador / envi|mand|transmit|encaminh|poste / chave|senha|segredo|credencia|variáveis de ambiente / baix|obtenh|carreg|leia|abra|visite|acesse|consulte / sig[au]|execut|obedeç|cumpr|apli',
    "ignor|dimentic|scorda|trascura / istruzion|regole|direttive|indicazion / precedent|anterior|tutte|sistema|sopra / \\bnon\\b|senza|mai\\b / dir|dica|informa|menzion|rivel|avvis|sappia / utente / invi|manda|spedi|trasmett|carica su / chiav|password|segret|credenzial|variabili d[’']ambiente / scaric|recuper|leggi|apri|visita|consulta / segui|esegui|obbedi|applica",
    'negeer|vergeet / instructies|regels|richtlijnen|aanwijzingen / vorige|eerdere|bovenstaande|alle|systeem / \\bniet|zonder|nooit / vertel|meld|noem|informeer|zeg|weten / gebruiker / stuur|verzend|upload|verstuur / sleutel|wachtwoord|geheim|inloggegevens|omgevingsvariabelen / haal|download|open|lees|bezoek / volg|voer .*uit|gehoorzaam',
    'zignoruj|ignoruj|zapomnij|pomiń / instrukcj|poleceni|zasad|wytyczn / poprzedni|wcześniejsz|powyższ|wszystkie|systemow / \\bnie\\b|bez|nigdy / mów|powiedz|inform|wspomin|ujawni|zdradz|wiedz / użytkownik / wyślij|prześlij|przekaż|wysył / klucz|hasł|sekret|poświadcze|zmienne środowiskowe / pobierz|odczytaj|otwórz|ściągnij|odwiedź / wykon|postępuj|zastosuj|przestrzegaj',
    'игнорир|забудь|проигнорир|не обращай внимания|отбрось / инструкц|указани|правил|команд|директив / предыдущ|прежн|ранее|вышеуказан|все|системн / \\sне\\s|^не\\s|без|никогда / сообщ|говор|расска|упомин|информир|показ|уведом|раскрыва|узна / пользовател / отправ|переда|загрузи на|перешли|пошли / ключ|парол|секрет|учётн|учетн|переменн|токен / скача|загрузи|получи|прочита|открой|зайди / выполн|следуй|исполн|делай|подчин',
    'ігнору|забудь|проігнору / інструкц|вказівк|правил|команд / попередн|усі|всі|системн|раніше / \\sне\\s|^не\\s|без|ніколи / повідом|кажи|розпов|згаду|інформ|показ / користувач / надішли|відправ|передай / ключ|парол|секрет|змінн|токен / завантаж|отрима|прочита|відкрий / викон|дотриму|роби',
    'yok say|görmezden gel|unut|dikkate alma|göz ardı / talimat|komut|kural|yönerge / önceki|tüm|bütün|yukarıdaki|sistem / söyleme|bildirme|haber verme|bahsetme|olmadan / kullanıcı|söyle|haber|bil / kullanıcı / gönder|yolla|yükle|ilet / anahtar|parola|şifre|gizli|ortam değişken / indir|getir|\\boku|\\baç|ziyaret / uygula|takip et|yerine getir|izle|uy\\b',
    '忽略|无视|無視|忘记|忘掉|忘記|不要理会|抛弃 / 指令|指示|说明|說明|规则|規則|提示|命令|设定 / 之前|以前|先前|上面|以上|此前|所有|全部|前面|系统|系統 / 不要|别|勿|不得|不能|不可|无需|不必|請勿|请勿|不让 / 告诉|告訴|告知|通知|提及|透露|说明|提醒|让|知道 / 用户|使用者|用戶 / 发送|上传|上傳|提交|發送|傳送|转发|发到|传到|发给 / 密钥|密码|密碼|密鑰|私钥|凭证|憑證|令牌|环境变量|環境變數|助记词|口令 / 下载|获取|访问|读取|打开|抓取|下載|存取|拉取 / 遵循|执行|按照|遵守|照做|執行|依照|服从',
    '無視|忘れ|破棄|従わない / 指示|命令|ルール|指令|プロンプト|規則 / これまで|以前|前の|上記|すべて|全て|先ほど|システム / ない|せず|なく|ずに|禁止|秘密 / 知らせ|伝え|言わ|教え|報告|通知|告げ|内緒 / ユーザー|利用者 / 送信|アップロード|送って|転送|送る|投稿 / 鍵|パスワード|秘密|認証情報|環境変数|トークン|シークレット / 取得|ダウンロード|読み込|開い|アクセス|参照 / 従っ|従い|実行|守っ|遵守|そのとおり',
    '무시|잊어|잊으|따르지 / 지시|명령|규칙|지침|프롬프트 / 이전|기존|앞의|위의|모든|시스템 / 말고|않|마세요|마라|말라|없이|몰래|비밀 / 알리|말하|언급|보고|통지|밝히|모르 / 사용자|유저 / 전송|업로드|보내|전달 / 키|비밀번호|암호|자격|토큰|환경 ?변수|비밀 / 가져오|다운로드|내려받|읽|열|접속|방문 / 따르|실행|수행|이행|준수',
    'تجاهل|انس|تغاض / تعليمات|أوامر|قواعد|توجيهات|إرشادات / سابق|السابقة|جميع|كل|أعلاه|النظام / لا |دون|بدون|عدم / تخبر|إخبار|تذكر|تعلم|إعلام|تكشف|إبلاغ / مستخدم / أرسل|إرسال|ارفع|انقل|حمّل إلى / مفتاح|مفاتيح|كلمة المرور|كلمات المرور|سر|متغيرات البيئة|بيانات الاعتماد / حمّل|حمل|اجلب|افتح|اقرأ|نزّل / اتبع|نفّذ|نفذ|التزم|طبّق',
    'अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|उपेक्षा / निर्देश|नियम|आदेश / पिछले|सभी|पहले|ऊपर|सिस्टम / मत|न |नहीं|बिना / बता|सूचित|उल्लेख|कह / उपयोगकर्ता|यूज़र|यूजर / भेज|अपलोड|प्रेषित / कुंजी|पासवर्ड|गुप्त|क्रेडेंशियल|टोकन / डाउनलोड|प्राप्त|खोल|पढ़|लाओ / पालन|निष्पादित|अनुसरण|चला',
    'bỏ qua|quên|phớt lờ / hướng dẫn|chỉ dẫn|chỉ thị|quy tắc|lệnh / trước|tất cả|mọi|ở trên|hệ thống / đừng|không|chớ / nói|báo|tiết lộ|đề cập|cho .*biết / người dùng / gửi|tải .*lên|chuyển / khóa|mật khẩu|bí mật|biến môi trường|thông tin đăng nhập / tải|lấy|đọc|mở|truy cập / làm theo|thực hiện|tuân theo|thực thi',
    'abaikan|lupakan / instruksi|perintah|aturan|petunjuk / sebelumnya|semua|di atas|sistem / jangan|tanpa|tidak / beri ?tahu|memberi ?tahu|katakan|sebut|ungkap|sepengetahuan|mengetahui / pengguna / kirim|unggah|teruskan / kunci|kata sandi|rahasia|kredensial|variabel lingkungan / unduh|ambil|buka|baca|kunjungi / ikuti|jalankan|laksanakan|patuhi',
    'ignorera|glöm|bortse / instruktion|regler|anvisning|direktiv / tidigare|föregående|alla|ovan|system / inte|utan|aldrig / berätta|säg|nämn|informera|avslöja|veta / användar / skicka|ladda upp|sänd / nyckel|lösenord|hemlig|miljövariabler / hämta|ladda ner|öppna|läs / följ|utför|lyd',
    'ignoruj|zapomeň|opomiň / instrukc|pokyn|pravidl|příkaz / předchoz|všechn|výše|dřívější|systém / \\bne|bez|nikdy / řík|zmiň|zmiň|inform|prozra|sděl / uživatel / pošli|odešli|nahraj|předej / klíč|hesl|tajn|proměnné prostředí / stáhni|načti|otevři|přečti / postupuj|proveď|vykonej|řiď se',
  ] as const
).map((words) => {
  const [
    ignore = '',
    told = '',
    before = '',
    not = '',
    tell = '',
    user = '',
    send = '',
    secret = '',
    fetch = '',
    follow = '',
  ] = words.split(' / ');
  return { ignore, told, before, not, tell, user, send, secret, fetch, follow };
});

type Part = keyof Tongue | 'address';

/** Sentences that are made of these parts, in whatever order the language puts them. */
const sayings: readonly (readonly [RuleId, readonly Part[]])[] = [
  ['override-instructions', ['ignore', 'told', 'before']],
  ['hides-from-user', ['not', 'tell', 'user']],
  ['asks-for-secrets', ['send', 'secret', 'address']],
  ['remote-instructions', ['fetch', 'address', 'follow', 'told']],
];

const compiled = tongues.map((tongue) => {
  const form = (part: string): RegExp => new RegExp(part, 'i');
  return {
    hint: form(`${tongue.ignore}|${tongue.user}|${tongue.send}|${tongue.follow}`),
    parts: {
      ...Object.fromEntries(Object.entries(tongue).map(([part, words]) => [part, form(words)])),
      secret: form(`${tongue.secret}|${anySecret}`),
      address: /https?:\/\//,
    } as Record<Part, RegExp>,
  };
});

/** Letters of which other languages than English have some, or words of theirs that no English text has. */
const foreign =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\b(?:ignorier\w*|vergiss|anweisungen|nutzer|instrucciones|usuario|istruzioni|utente|instructies|gebruiker|abaikan|pengguna|instrukcje|instruktioner|consignes|utilisateur|talimatlar\w*)\b/i;

/** Things that are ignored every day, whatever rules stand beside them, and things that nobody needs to be told of. */
const everyday: { readonly [R in RuleId]?: RegExp } = {
  'override-instructions':
    /バージョン|ファイル|行は|版本|文件|버전|파일|версии|файл|version|datei|fichier|archivo|ficheiro/i,
  'hides-from-user':
    /\bintern[aeoi]|técnic|techni(?:sch|que|c)|jargon|implement|json|\bids?\b|внутренн|техническ|内部|技术|技術|実装|내부|기술/i,
};

/** The rules that a sentence in another language than English breaks, with what it says. */
export function* foreignSayings(line: string): Generator<readonly [RuleId, string]> {
  if (!foreign.test(line)) return;
  for (const { hint, parts } of compiled) {
    if (!hint.test(line)) continue;
    for (const sentence of line.split(/(?<=[.!?])\s+|(?<=[。！？])/)) {
      for (const [rule, saying] of sayings)
        if (
          saying.every((part) => parts[part].test(sentence)) &&
          !isWarned(rule, parts, sentence) &&
          everyday[rule]?.test(sentence) !== true
        )
          yield [rule, sentence.trim()];
    }
  }
}

/** Whether a sentence tells not to do it: whoever ignores or sends nothing does no harm. */
function isWarned(rule: RuleId, { not, ignore, send, tell }: Record<Part, RegExp>, sentence: string): boolean {
  const act = { 'override-instructions': ignore, 'hides-from-user': tell }[String(rule)] ?? send;
  const clauses = sentence.split(/[,;，、]|(?<!\bsans)\s(?:und|et|y|e|en|i|и|та|ve|och|a)\s/i);
  const [said] = act.exec(sentence) ?? [];
  const isDenied = not.test(clauses.find((one) => said !== undefined && one.includes(said)) ?? '');
  return rule === 'hides-from-user' ? !isDenied : isDenied;
}
