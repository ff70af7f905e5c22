/**
 * Invented meetings, a line a sentence. What somebody would note is marked: `=` a decision, `>` an action item, with its
 * owner and when it is due, as far as that is said.
 */
export const INVENTED_MEETINGS: Readonly<Record<string, string>> = {
  fr: `
Claire: Bonjour à tous, on commence par le déménagement de l'entrepôt de Lyon.
Marc: Le bail de l'entrepôt actuel se termine au mois de septembre.
Claire: Est-ce que le nouveau bâtiment a assez de quais de chargement ?
Marc: Il y en a douze, contre huit aujourd'hui, et la cour est plus grande.
= Claire: On a décidé de signer le bail de Vénissieux pour neuf ans.
Inès: Le transporteur demande un préavis de trois mois pour changer ses tournées.
Marc: Les rayonnages coûtent plus cher que prévu dans le budget de janvier.
> Marc; d'ici vendredi; Marc: Je vous envoie le devis corrigé des rayonnages d'ici vendredi.
Inès: L'année dernière, on avait décidé de garder les vieux rayonnages.
Claire: Si on partait sur un autre fournisseur, on perdrait deux mois.
Inès: Le logiciel de stock ne connaît pas encore les nouveaux emplacements.
> Inès; avant le 3 mars; Claire: Inès, tu peux préparer le plan des emplacements avant le 3 mars ?
Inès: Oui, bien sûr.
Marc: Les caristes voudraient visiter le site avant le déménagement.
= Claire: Le déménagement est reporté à la première semaine d'août, quand les commandes sont calmes.
Marc: Il fait très chaud dans le hall en été, sans ventilation.
Inès: Pourquoi est-ce qu'on n'a pas encore choisi la ventilation ?
> Inès; demain; Inès: Je vais appeler le bureau d'études demain pour la ventilation.
Claire: Le syndicat a posé des questions sur les horaires du soir.
= Marc: Pour les horaires, nous gardons les équipes actuelles jusqu'à la fin de l'année.
> Marc; la semaine prochaine; Claire: Marc rédigera la note pour le personnel la semaine prochaine.
Claire: Merci à tous, bonne journée.`,
  es: `
Lucía: Buenos días, hoy hablamos de la feria de turismo de Sevilla.
Pablo: El año pasado el estand costó catorce mil euros con el montaje.
Lucía: ¿Cuántas reuniones con agencias tuvimos en la última feria?
Pablo: Fueron cuarenta y dos, y de ahí salieron seis contratos.
= Lucía: Hemos decidido reservar el estand pequeño junto a la entrada.
Andrés: El diseño de los folletos todavía tiene las fotos antiguas.
Pablo: La imprenta necesita los archivos diez días antes de la feria.
> Andrés; para el viernes; Andrés: Yo preparo los folletos nuevos para el viernes.
Lucía: Si decidimos llevar la maqueta, necesitamos una furgoneta más grande.
Pablo: La maqueta del hotel pesa casi doscientos kilos.
= Lucía: Al final nos quedamos con las pantallas y dejamos la maqueta en la oficina.
Andrés: El hotel de siempre ha subido mucho los precios.
Pablo: Hay otro hotel cerca de la estación, bastante más barato.
> Pablo; mañana; Lucía: Pablo, ¿puedes reservar las habitaciones del hotel mañana?
Pablo: Claro, sin problema.
Andrés: La aplicación de citas falló varias veces en Madrid.
Lucía: Los clientes se quejaron de la aplicación durante toda la semana.
> Andrés; antes del 5 de marzo; Andrés: Voy a revisar la aplicación de citas antes del 5 de marzo.
Pablo: ¿Y quién va a presentar los resultados en la feria?
= Lucía: Queda acordado que la presentación de resultados la hace el equipo de ventas.
Andrés: El catálogo en inglés tiene errores en los precios.
> Pablo; la próxima semana; Lucía: Pablo enviará los precios correctos a la imprenta la próxima semana.
Lucía: Gracias a todos, hasta luego.`,
  pt: `
Rita: Bom dia, vamos falar sobre a nova cantina da escola.
João: A obra da cozinha terminou na semana passada.
Rita: O fogão novo já foi entregue pela empresa?
João: Foi entregue, mas falta a ligação do gás.
= Rita: Decidimos abrir a cantina depois das férias da Páscoa.
Tiago: Os pais perguntam pelo preço das refeições vegetarianas.
João: A empresa atual cobra quatro euros por refeição.
> Tiago; até sexta-feira; Tiago: Eu envio a tabela de preços aos pais até sexta-feira.
Rita: Se ficamos com a mesma empresa, o preço sobe dez por cento.
João: A outra empresa da cidade trabalha com produtores locais.
= Rita: Ficou combinado que o contrato passa para a empresa com produtores locais.
Tiago: O refeitório tem lugar para cento e vinte alunos de cada vez.
João: Os alunos mais novos demoram muito tempo a comer.
> João; até amanhã; Rita: João, pode preparar o horário dos turnos até amanhã?
João: Sim, pode deixar.
Tiago: As mesas antigas estão riscadas e as cadeiras fazem barulho.
Rita: Quanto custam as cadeiras novas com proteção de borracha?
> Tiago; antes do dia 10 de março; Tiago: Vou pedir três orçamentos de cadeiras antes do dia 10 de março.
João: No ano passado queriam fechar o bar dos professores.
= Rita: Por agora mantemos o bar dos professores no edifício principal.
Tiago: A inspeção sanitária vem durante o mês de abril.
> João; na próxima semana; Rita: O João vai organizar os documentos da inspeção na próxima semana.
Rita: Obrigada a todos, até à próxima.`,
  it: `
Giulia: Buongiorno a tutti, oggi parliamo del nuovo sito della biblioteca.
Luca: Il sito attuale è lento e non funziona bene sui telefoni.
Giulia: Quanti lettori usano il catalogo online ogni giorno?
Luca: Circa duemila, soprattutto studenti delle scuole superiori.
= Giulia: Abbiamo deciso di rifare il catalogo online prima del sito.
Sara: Le copertine dei libri mancano per metà della collezione.
Luca: Il fornitore delle copertine chiede trecento euro al mese.
> Luca; entro venerdì; Luca: Vi mando il preventivo del fornitore delle copertine entro venerdì.
Sara: Se abbiamo deciso troppo presto, possiamo ancora cambiare programma.
Giulia: Il comune paga soltanto i lavori finiti entro dicembre.
= Giulia: Per il server teniamo il contratto con l'università anche l'anno prossimo.
Sara: Gli studenti chiedono di rinnovare i prestiti dal telefono.
Luca: Perché non abbiamo ancora le notifiche dei prestiti scaduti?
> Sara; entro il 4 marzo; Giulia: Sara, puoi scrivere l'elenco delle funzioni richieste dagli studenti entro il 4 marzo?
Sara: Certo, va bene.
Luca: La sala lettura ha bisogno di prese elettriche vicino ai tavoli.
Giulia: L'elettricista viene soltanto quando la biblioteca è chiusa.
> Sara; domani; Sara: Domani chiamo l'elettricista per le prese della sala lettura.
Luca: L'anno scorso volevano spostare la sala dei giornali.
= Giulia: È stabilito che la sala dei giornali resta al piano terra.
Sara: I volontari aprono la biblioteca anche la domenica mattina.
> Luca; la prossima settimana; Giulia: Luca preparerà il calendario dei volontari la prossima settimana.
Giulia: Grazie a tutti e buona giornata.`,
  nl: `
Anouk: Goedemorgen allemaal, we bespreken vandaag de nieuwe fietsenstalling.
Bram: De stalling bij het station is elke ochtend voor acht uur vol.
Anouk: Hoeveel fietsen staan er nu buiten de rekken?
Bram: Ongeveer driehonderd, vooral aan de kant van het busstation.
= Anouk: We hebben besloten de tweede verdieping van de stalling te openen.
Joris: De verlichting op de tweede verdieping is nog niet goedgekeurd.
Bram: De brandweer wil een extra uitgang aan de noordkant.
> Bram; voor vrijdag; Bram: Ik stuur de tekening van de uitgang voor vrijdag naar de brandweer.
Joris: Als we besloten hebben om te wachten, verliezen we de subsidie.
Anouk: De subsidie van de provincie vervalt aan het einde van het jaar.
= Anouk: Voor de rekken blijven we bij de leverancier uit Utrecht.
Joris: Oude fietsen zonder eigenaar nemen veel plaats in.
Bram: Wie haalt de oude fietsen eigenlijk weg uit de stalling?
> Joris; voor 6 maart; Anouk: Joris, kun je de lijst van oude fietsen voor 6 maart controleren?
Joris: Ja, doe ik.
Bram: Het bord bij de ingang is vanaf de weg moeilijk te zien.
Anouk: De gemeente heeft regels voor de kleur van zulke borden.
> Joris; morgen; Joris: Ik bel morgen de gemeente over het bord bij de ingang.
Bram: Vorig jaar wilden ze geld vragen voor het stallen.
= Anouk: Er is afgesproken dat het stallen de eerste dag gratis blijft.
Joris: Studenten laten hun fiets vaak het hele weekend staan.
> Bram; volgende week; Anouk: Bram maakt volgende week een folder voor de studenten over de tarieven.
Anouk: Bedankt allemaal en tot ziens.`,
  pl: `
Ewa: Dzień dobry, dzisiaj rozmawiamy o remoncie domu kultury.
Karol: Dach przecieka nad salą teatralną od zeszłej zimy.
Ewa: Ile kosztowała ostatnia naprawa dachu nad sceną?
Karol: Około dwudziestu tysięcy złotych razem z materiałami.
= Ewa: Zdecydowaliśmy wymienić cały dach sali teatralnej latem.
Zofia: Zespół taneczny ćwiczy w sali teatralnej trzy razy w tygodniu.
Karol: Szkoła ma wolną salę gimnastyczną po godzinie szesnastej.
> Karol; do piątku; Karol: Przygotuję umowę ze szkołą na salę gimnastyczną do piątku.
Zofia: Jeśli zdecydowaliśmy za wcześnie, miasto może odmówić pieniędzy.
Ewa: Miasto płaci połowę kosztów, a resztę płaci fundacja.
= Ewa: W sprawie kina zostajemy przy starym projektorze jeszcze jeden sezon.
Zofia: Fotele w ostatnich rzędach są połamane i skrzypią.
Karol: Dlaczego fotele jeszcze nie zostały naprawione po festiwalu?
> Zofia; do 5 marca; Ewa: Zofia, możesz sprawdzić ceny nowych foteli do 5 marca?
Zofia: Tak, nie ma problemu.
Karol: Kasa biletowa nie przyjmuje płatności telefonem.
Ewa: Goście skarżą się na kolejki przed każdym koncertem.
> Zofia; jutro; Zofia: Jutro zadzwonię do banku w sprawie terminala do kasy.
Karol: W zeszłym roku chcieli zamknąć kawiarnię na parterze.
= Ewa: Jest ustalone, że kawiarnia na parterze zostaje otwarta w czasie remontu.
Zofia: Plakaty na festiwal jesienny muszą być gotowe w sierpniu.
> Karol; w przyszłym tygodniu; Ewa: Karol napisze w przyszłym tygodniu ogłoszenie dla zespołów.
Ewa: Dziękuję wszystkim, do widzenia.`,
  ja: `
田中: おはようございます。今日は新しい工場の見学会について話します。
佐藤: 去年の見学会には二百人のお客様が来ました。
田中: 駐車場は何台分ありますか。
佐藤: 五十台分しかないので、いつも道路が混雑します。
= 田中: 見学会は駅からのバスを使うことに決めました。
鈴木: バス会社の料金は去年より一割高くなっています。
佐藤: 雨の日の集合場所がまだ決まっていません。
> 鈴木; 金曜日までに; 鈴木: バス会社の見積もりを金曜日までに送ります。
佐藤: もし工場の日程が決まりましたら、パンフレットも変わるかもしれません。
田中: パンフレットの写真は古い機械のままです。
= 田中: パンフレットは新しい写真で作り直すことにしました。
鈴木: 撮影には工場長の許可が要ります。
佐藤: 工場長は来週まで海外に出張しています。
> 佐藤; 3月5日までに; 田中: 佐藤さん、工場長の許可を3月5日までに取ってもらえますか。
佐藤: はい、わかりました。
鈴木: お土産のお菓子は子どもたちに人気があります。
田中: アレルギーの表示について質問が多かったです。
> 鈴木; 明日; 鈴木: お菓子の表示については、明日私が店に確認します。
佐藤: 以前は昼食の弁当を出すという話もありました。
= 田中: 昼食の弁当は今年は中止にします。
鈴木: 案内係の社員が二人足りません。
> 佐藤; 来週; 田中: 来週の案内係の募集は、佐藤さんにお願いします。
田中: 今日はありがとうございました。`,
  zh: `
王伟: 大家早上好，今天讨论新门店的开业活动。
李娜: 去年的开业活动来了三百多位顾客。
王伟: 商场的停车位一共有多少个？
李娜: 只有八十个停车位，周末的时候总是很拥挤。
= 王伟: 我们决定把开业活动推迟到四月的第二个周末。
张敏: 宣传海报上的日期和地址都要修改。
李娜: 印刷厂说改海报大概需要三天时间。
> 张敏; 周五之前; 张敏: 我会在周五之前把新的海报发给印刷厂。
李娜: 如果我们决定换印刷厂，价格可能会更高。
王伟: 现在这家印刷厂的质量一直比较稳定。
= 王伟: 经过讨论，大家一致同意继续使用原来的装修公司。
张敏: 装修公司还没有安装门口的招牌。
李娜: 为什么招牌到现在还没有安装？
> 李娜; 3月5号之前; 王伟: 李娜，请你在3月5号之前联系装修公司确认招牌的尺寸。
李娜: 好的，没问题。
张敏: 会员系统在旧门店经常出现错误。
王伟: 顾客对会员积分的问题投诉很多。
> 张敏; 明天; 张敏: 我明天检查会员系统的积分数据。
李娜: 去年本来打算取消赠品活动。
= 王伟: 赠品方案已经通过了，每位顾客送一个环保袋。
张敏: 新员工的培训材料只有电子版本。
> 李娜; 下周; 王伟: 培训材料由李娜负责打印，下周发给新员工。
王伟: 谢谢大家，今天的会议就到这里。`,
};
